// Drives the engine the way Sabaki does, with Sabaki's own library, and prints what it saw as one line of JSON.
// usage: node sabaki.mjs '{"scenario": NAME, "engine": [PROGRAM, ARGUMENT, ...], "initial": [COMMAND, ...], ...}'

import {Command, Controller, ControllerStateTracker} from '@sabaki/gtp'

const scenarios = {attach, synchronize, analyze, generate, play, stop}

async function attach(task) {
  const {controller, replies} = await start(task)
  const outcome = await controller.stop()
  return {replies, outcome}
}

// Brings one engine to one position after another; the library chooses between undo and a new beginning.
async function synchronize(task) {
  const {controller, tracker} = await start(task)
  const seen = []
  for (const history of task.histories) {
    const sent = []
    const note = ({command}) => sent.push(command.name)
    controller.on('command-sent', note)
    await tracker.sync({komi: 6.5, boardsize: task.boardsize, history: history.map(Command.fromString)})
    controller.off('command-sent', note)
    seen.push({sent, board: await ask(controller, 'gogui-rules_board')})
  }
  await controller.stop()
  return seen
}

// Ends an analysis as Sabaki does, by asking for the protocol's version.
async function analyze(task) {
  const {controller} = await start(task)
  const lines = []
  const events = []
  let version
  const analysis = ask(controller, task.command, ({line}) => {
    lines.push(line)
    if (lines.length === task.enough) version = ask(controller, 'protocol_version').then(reply => events.push(reply))
  })
  await analysis.then(() => events.push('closed'))
  await version
  const name = await ask(controller, 'name')
  await controller.stop()
  return {lines, events, name}
}

// Has a move made under analysis, and takes it back.
async function generate(task) {
  const {controller, tracker} = await start(task)
  const lines = []
  await ask(controller, task.command, ({line}) => lines.push(line))
  const history = tracker.state.history.map(Command.toString)
  await ask(controller, 'undo')
  await controller.stop()
  return {lines, history}
}

// Lets two engines play until two passes in a row, each told of the other's moves before it is asked.
async function play(task) {
  const players = [await start(task), await start({...task, initial: task.opponent})]
  const boardsize = task.boardsize
  const history = []
  while (!isOver(history)) {
    const {controller, tracker} = players[history.length % 2]
    await tracker.sync({komi: 6.5, boardsize, history})
    const color = 'BW'[history.length % 2]
    const vertex = await move(controller, `${task.generate} ${color}`)
    history.push({name: 'play', args: [color, vertex]})
  }
  const scores = []
  for (const {controller, tracker} of players) {
    await tracker.sync({komi: 6.5, boardsize, history})
    scores.push(await ask(controller, 'final_score'))
    await controller.stop()
  }
  return {moves: history.map(({args}) => args[1]), scores}
}

// Stops an engine, in the middle of the given command if there is one.
async function stop(task) {
  const {controller} = await start(task)
  if (task.command) await searching(controller, task.command)
  const before = performance.now()
  const outcome = await controller.stop()
  return {seconds: (performance.now() - before) / 1000, outcome}
}

// As Sabaki starts an engine: four questions and the user's own commands, all sent before the first reply.
async function start({engine, initial = []}) {
  const controller = new Controller(engine[0], engine.slice(1))
  const tracker = new ControllerStateTracker(controller)
  controller.on('stderr', ({content}) => console.error(content))
  controller.start()
  const lines = ['name', 'version', 'protocol_version', 'list_commands', ...initial]
  const replies = await Promise.all(lines.map(line => ask(controller, line)))
  return {controller, tracker, replies}
}

async function ask(controller, line, subscriber) {
  const {content, error} = await controller.sendCommand(Command.fromString(line), subscriber)
  if (error) throw new Error(`${line}: ${content}`)
  return content
}

async function move(controller, line) {
  let vertex = null
  const content = await ask(controller, line, ({line}) => {
    if (line.startsWith('play ')) vertex = line.slice('play '.length)
  })
  return vertex ?? content
}

function isOver(history) {
  return history.length >= 2 && history.slice(-2).every(({args}) => args[1] === 'pass')
}

// Resolves at the first line of analysis; the command itself goes on.
async function searching(controller, line) {
  await new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`${line}: ended without a line of analysis`))
    ask(controller, line, ({line}) => line.startsWith('info ') && resolve()).then(ended, reject)
  })
}

const task = JSON.parse(process.argv[2])
const seen = JSON.stringify(await scenarios[task.scenario](task))
process.stdout.write(`${seen}\n`, () => process.exit())
