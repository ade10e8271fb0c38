import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { patientCreate } from '../contract/patients.ts';
import { freePort } from '../tests/free-port.ts';
import { requestJson } from './import/http.ts';
import { median } from './numbers.ts';
import { benchAccount, type OwnServer, startOwnServer } from './own-server.ts';
import { type ListedStudy, serveOhif } from './start-page/ohif.ts';
import { actSlowly, type Seen, seeSlowly, type Visit, warmUp } from './start-page/slow-visit.ts';

const loads = Number(process.env.DENTARIUM_BENCH_LOADS ?? 5);
const limits = { seenMs: 1_500, shift: 0.02, interactionMs: 200 } as const;

const firstNames = ['Anna', 'Erik', 'Ingrid', 'Lars', 'Maja', 'Nils', 'Sigrid', 'Tove', 'Vera', 'Åke'];
const lastNames = ['Andersson', 'Berg', 'Dahl', 'Ek', 'Holm'];
const patients = lastNames.flatMap((lastName) => firstNames.map((firstName) => ({ firstName, lastName })));

const studies: readonly ListedStudy[] = patients.map(({ firstName, lastName }, index) => ({
  patientName: `${lastName}^${firstName}`,
  patientId: `STARTPAGE${1_000 + index}`,
  date: '20260105',
  description: 'Bitewing',
}));

const addPatients = async (server: OwnServer): Promise<void> => {
  const { customerId } = server;
  const headers = await server.signIn();
  for (const [index, names] of patients.entries()) {
    const personalNumber = `STARTPAGE${1_000 + index}`;
    const body = { customerId, ...names, personalNumber, birthDate: null, sex: null, comments: null };
    await requestJson('POST', server.url + patientCreate.path, headers, body);
  }
};

/** Returns a script that fills the storage of the page like that of a signed-in user. */
const signedInBefore = async (browser: Browser, { url, customerId = '' }: OwnServer): Promise<string> => {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByLabel('E-mail').fill(benchAccount.email);
  await page.getByLabel('Password', { exact: true }).fill(benchAccount.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Account and settings' }).waitFor();
  const stored = await page.evaluate(() => ({ ...localStorage }));
  await context.close();
  return `if (location.origin === ${JSON.stringify(url)}) {
    Object.assign(localStorage, ${JSON.stringify(stored)});
    Object.assign(sessionStorage, ${JSON.stringify({ 'dentarium.clinic': customerId })});
  }`;
};

const typeInto = (name: string, role: 'textbox' | 'combobox' = 'textbox') => [
  async (page: Page) => page.getByRole(role, { name }).first().click(),
  ...[...'and'].map((key) => (page: Page) => page.keyboard.press(key)),
];

const ownVisits = async (browser: Browser, server: OwnServer): Promise<Record<string, Visit>> => ({
  'sign-in page': {
    url: server.url,
    shows: 'E-post',
    actions: [...typeInto('E-post'), (page) => page.getByRole('button', { name: 'English' }).click()],
  },
  'search page': {
    url: server.url,
    before: await signedInBefore(browser, server),
    shows: 'Andersson',
    actions: [
      ...typeInto('Search patients', 'combobox'),
      (page) => page.keyboard.press('Escape'),
      (page) => page.getByRole('tab', { name: /Recycle bin/ }).click(),
    ],
  },
});

const peerVisit = (url: string): Visit => ({
  url,
  shows: 'Andersson',
  actions: [
    async (page) => page.locator('input[type=text]').first().click(),
    ...[...'and'].map((key) => (page: Page) => page.keyboard.press(key)),
    (page) => page.getByText('Andersson', { exact: false }).first().click(),
  ],
});

interface Visited extends Seen {
  readonly interactionMs: number;
}

/** Paint and interaction are measured in separate visits, because the observation of an interaction slows the page. */
const visitSlowly = async (browser: Browser, visit: Visit): Promise<Visited> => ({
  ...(await seeSlowly(browser, visit)),
  interactionMs: await actSlowly(browser, visit),
});

const middle = (visits: readonly Visited[], name: keyof typeof limits | 'largestPaintMs' | 'bytes' | 'requests') =>
  median(visits.map((visit) => visit[name]));

const inWords = (name: string, visits: readonly Visited[]): string => {
  const times = visits.map(({ seenMs }) => seenMs.toFixed(0)).join(', ');
  return [
    `start-page: ${name}: seen after ${middle(visits, 'seenMs').toFixed(0)} ms (runs ${times})`,
    `largest paint ${middle(visits, 'largestPaintMs').toFixed(0)} ms (${visits[0]?.largest})`,
    `shift ${middle(visits, 'shift').toFixed(3)}`,
    `interaction ${middle(visits, 'interactionMs').toFixed(0)} ms`,
    `${(middle(visits, 'bytes') / 1_000).toFixed(0)} KB in ${middle(visits, 'requests')} requests`,
  ].join(', ');
};

/**
 * First visits to the sign-in page and to the search page, beside the list of studies of OHIF with as many: a processor four times slower, 10 Mbit/s
 * with 40 ms, an empty cache, alternately. Prints which medians exceed their limits.
 */
export const benchStartPage = async (): Promise<void> => {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'bench-start-'));
  const peer = await serveOhif(studies);
  const server = await startOwnServer({ dataFolder, port: await freePort() });
  const executablePath = process.env.DENTARIUM_CHROMIUM;
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
  try {
    await addPatients(server);
    const visits = { ...(await ownVisits(browser, server)), [peer.name]: peerVisit(peer.url) };
    for (const visit of Object.values(visits)) await warmUp(browser, visit);
    const made = new Map<string, Visited[]>(Object.keys(visits).map((name) => [name, []]));
    for (let load = 0; load < loads; load++)
      for (const [name, visit] of Object.entries(visits)) made.get(name)?.push(await visitSlowly(browser, visit));
    const peerVisits = made.get(peer.name) ?? [];
    for (const [name, visited] of made) {
      console.log(inWords(name, visited));
      if (name === peer.name) continue;
      const ratio = middle(peerVisits, 'seenMs') / middle(visited, 'seenMs');
      console.log(`start-page: ${name}: ${ratio.toFixed(2)} times as fast as ${peer.name}`);
      for (const key of ['seenMs', 'shift', 'interactionMs'] as const)
        if (middle(visited, key) >= limits[key]) console.log(`start-page: ${name}: ${key} is not below ${limits[key]}`);
    }
  } finally {
    await browser.close();
    await server.close();
    await peer.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
};
