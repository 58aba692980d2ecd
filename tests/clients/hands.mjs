// What a person does and sees in the page, step by step.

export const MARGIN = 0.8

export async function begin(page, choices) {
  await page.waitForFunction(() => /to move|thinking|wins/.test(document.querySelector('#status').textContent))
  await page.click('#new')
  await page.selectOption('[name=game]', choices.game)
  for (const name of ['size', 'black', 'white']) await page.selectOption(`[name=${name}]`, choices[name])
  if (choices.overtime) await page.selectOption('[name=overtime]', choices.overtime)
  for (const name of ['in_a_row', 'movetime', 'main', 'period', 'count']) if (choices[name]) await page.fill(`[name=${name}]`, choices[name])
  await page.click('#new-game .start')
  await page.waitForFunction(() => !document.querySelector('#new-game').open)
  await page.waitForFunction(isLaidOut, choices)
}

// In the page: the new game is shown and takes moves; until then a click is answered by "One moment, please".
function isLaidOut({game, size, black, white}) {
  const board = document.querySelector('#board'), seat = (color) => document.querySelector(`#card-${color} select`).value
  if (!board.classList.contains(game) || document.querySelectorAll('.label').length !== 4 * Number(size)) return false
  if (seat('black') !== black || seat('white') !== white) return false
  return board.getAttribute('aria-busy') === 'false' || black === 'engine'
}

export async function click(page, {x, y}, size = 9) {
  const box = await page.locator('#board').boundingBox()
  const cell = box.width / (size + 2 * MARGIN)
  await page.mouse.click(box.x + (MARGIN + x + 0.5) * cell, box.y + (MARGIN + y + 0.5) * cell)
}

// Clicks on a point and waits for the stone and for the words.
export async function press(page, point, wanted, size = 9) {
  const before = (await stones(page)).length
  await click(page, point, size)
  await page.waitForFunction((before) => document.querySelectorAll('#board > g:nth-of-type(1) > g').length > before, before)
  return status(page, wanted)
}

export async function status(page, wanted) {
  await page.waitForFunction((source) => new RegExp(source).test(document.querySelector('#status').textContent), wanted.source)
  return page.textContent('#status')
}

// The same, once it stays so: the page may still show the session before.
export async function settled(page, wanted) {
  for (;;) {
    const text = await status(page, wanted)
    await page.waitForTimeout(500)
    if (await page.textContent('#status') === text) return text
  }
}

export async function stones(page) {
  return page.$$eval('#board > g:nth-of-type(1) > g > circle:nth-child(2)', (discs) => discs.map((disc) => ({
    x: disc.getAttribute('cx') - 0.5, y: disc.getAttribute('cy') - 0.5, color: disc.getAttribute('fill').slice(5, -1),
  })))
}

// A point in the row of five that is nearest to being black's.
export function target(discs, size) {
  const at = new Map(discs.map(({x, y, color}) => [`${x},${y}`, color]))
  let best = null
  for (let x = 0; x < size; x++) for (let y = 0; y < size; y++) for (const [right, down] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    const points = [0, 1, 2, 3, 4].map((step) => ({x: x + step * right, y: y + step * down}))
    if (points.some((point) => point.x >= size || point.y >= size || point.y < 0)) continue
    const colors = points.map((point) => at.get(`${point.x},${point.y}`))
    const count = colors.filter((color) => color === 'black').length
    if (!colors.includes('white') && (!best || count > best.count)) best = {count, point: points[colors.indexOf(undefined)]}
  }
  return best.point
}

export async function record(page) {
  await page.click('#sgf')
  await page.waitForSelector('#record[open]')
  const text = await page.inputValue('#record textarea')
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#record .download')])
  await page.click('#record .cancel')
  return {text, name: download.suggestedFilename()}
}

export async function shoot(page, task, name) {
  if (task.shots) await page.screenshot({path: `${task.shots}/${name}.png`})
}
