// Opens a report in Chromium, replays its second game by clicks and keys, and prints what was on the board.
import {chromium} from 'playwright-core'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'

const quiet = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--no-first-run', '--disable-dev-shm-usage']
const task = JSON.parse(process.argv[2])
const profile = mkdtempSync(join(tmpdir(), 'extremum-browser-'))
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: task.browser, headless: true, args: quiet, colorScheme: task.scheme ?? 'light',
  viewport: {width: task.width ?? 1280, height: 900}, offline: true,
})
try {
  const page = await browser.newPage()
  const complaints = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => request.url().startsWith('file:') || complaints.push(request.url()))
  await page.goto(pathToFileURL(task.page).href)

  const stones = () => page.$$eval('#board [data-point]', (all) =>
    Object.fromEntries(all.map((stone) => [stone.dataset.point, stone.dataset.color])))
  const caption = () => page.textContent('#caption')
  const click = (step) => page.click(`[data-step="${step}"]`)

  const seen = {title: await page.title(), listed: await page.$$eval('#list option', (all) => all.map((one) => one.textContent))}
  await page.selectOption('#list', '1')
  seen.end = await stones()
  seen.caption = await caption()
  await click(0)
  seen.start = await stones()
  for (let ply = 0; ply < 3; ply++) await click(1)
  seen.three = await stones()
  await click(-1)
  seen.two = await stones()
  await page.keyboard.press('ArrowRight')
  seen.threeAgain = await stones()
  await page.fill('#slider', '1')
  seen.one = await stones()
  await click(999)
  seen.last = await stones()
  seen.wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  if (task.picture) await page.screenshot({path: task.picture, fullPage: true})
  process.stdout.write(`${JSON.stringify({...seen, complaints})}\n`)
} finally {
  await browser.close()
  rmSync(profile, {recursive: true, force: true})
}
