// Drives a server with Node's binding of ZeroMQ: plays a game of frames and lines, and hears a stream.
import {decode, encode} from '@msgpack/msgpack'
import {Dealer, Request} from 'zeromq'

const address = process.argv[2]
const dealer = new Dealer({linger: 0, receiveTimeout: 30000})
dealer.connect(address)

let number = 0
async function ask(cmd, ...args) {
  const id = ++number
  await dealer.send(encode({id, cmd, args}))
  const answer = await hear()
  if (answer.id !== id || !answer.ok) throw new Error(JSON.stringify(answer))
  return answer.result
}

async function hear() {
  const [message] = await dealer.receive()
  return decode(message)
}

const seen = {name: await ask('name'), moves: []}
await ask('set_game', 'othello')
await ask('boardsize', 6)
await ask('set_brain', 'random')
while ((await ask('gogui-rules_final_result')) === '') {
  const color = await ask('gogui-rules_side_to_move')
  seen.moves.push([color, await ask('genmove', color)])
}
seen.board = await ask('showboard')
seen.score = await ask('final_score')

await ask('clear_board')
await dealer.send(encode({id: 'stream', cmd: 'kata-analyze', args: ['b', 2]}))
seen.report = await hear()
await dealer.send(encode({id: 'stop', cmd: 'stop', args: []}))
do {
  seen.last = await hear()
} while (seen.last.id !== 'stop')

const request = new Request({linger: 0, receiveTimeout: 30000})
request.connect(address)
await request.send('5 name')
const [line] = await request.receive()
seen.line = line.toString()

console.log(JSON.stringify(seen))
dealer.close()
request.close()
