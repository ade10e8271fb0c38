import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { JSDOM } from 'jsdom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machines } from '../../tests/machines/models/index.ts';
import { transitionsOf } from '../../tests/paths.ts';
import type { SearchEntry } from './search-index.ts';
import { subjectsOf, writeSite } from './site.ts';

const root = path.join(import.meta.dirname, '..', '..');
const out = mkdtempSync(path.join(tmpdir(), 'machines-'));
const pages = new Map<string, Document>();

const documentOf = (file: string): Document =>
  new JSDOM(readFileSync(file, 'utf8'), { url: pathToFileURL(file).href }).window.document;

const idsIn = (page: Document): ReadonlySet<string> => new Set([...page.querySelectorAll('[id]')].map(({ id }) => id));

const subjects = subjectsOf(root, machines);

beforeAll(async () => {
  await writeSite(root, out, subjects);
  for (const name of readdirSync(out)) if (name.endsWith('.html')) pages.set(name, documentOf(path.join(out, name)));
}, 240_000);
afterAll(() => rmSync(out, { recursive: true }));

/** Returns the file and the anchor of an address on a page. */
const targetOf = (page: string, href: string): { readonly file: string; readonly anchor: string } => {
  const [file = '', anchor = ''] = href.split('#');
  return { file: file === '' ? page : decodeURIComponent(file), anchor };
};

describe('the machine pages', () => {
  it('are one per machine and a start page', () => {
    expect([...pages.keys()].sort()).toEqual([...machines.map(({ id }) => `${id}.html`), 'index.html'].sort());
  });

  it('have no broken links', () => {
    const ids = new Map([...pages].map(([name, page]) => [name, idsIn(page)]));
    const broken = [...pages].flatMap(([name, page]) =>
      [...page.querySelectorAll('[href], [src]')].flatMap((element) => {
        const href = element.getAttribute('href') ?? element.getAttribute('src') ?? '';
        const { file, anchor } = targetOf(name, href);
        const isThere = existsSync(path.join(out, file)) && (anchor === '' || ids.get(file)?.has(anchor));
        return isThere && !/^\w+:/.test(href) ? [] : [`${name}: ${href}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('have no inline styles or scripts, unique ids, one main heading and a title', () => {
    for (const [name, page] of pages) {
      expect(page.querySelectorAll('[style], script:not([src]), style').length, name).toBe(0);
      const all = [...page.querySelectorAll('[id]')].map(({ id }) => id);
      expect(all.length, name).toBe(new Set(all).size);
      expect(page.querySelectorAll('h1').length, name).toBe(1);
      expect(page.title, name).not.toBe('');
    }
  });

  it('are found by all of their texts', () => {
    const context: { machineIndex?: readonly SearchEntry[] } = {};
    runInNewContext(readFileSync(path.join(out, 'search-index.js'), 'utf8'), context);
    const entries = context.machineIndex ?? [];
    for (const { text, href } of entries) {
      const { file, anchor } = targetOf('index.html', href);
      const page = pages.get(file);
      expect(page && (anchor === '' || page.getElementById(anchor)), `${text}: ${href}`).toBeTruthy();
    }
    const texts: Readonly<Record<string, string>> = JSON.parse(
      readFileSync(path.join(root, 'tools', 'machine-texts.json'), 'utf8'),
    );
    const found = entries.map(({ text }) => text).join('\n');
    const keys = Object.keys(texts).filter((key) => /^(state|event|guard|delay|port)\./.test(key));
    expect(keys.filter((key) => !found.includes(texts[key] ?? ''))).toEqual([]);
  });

  it('tell how to make each step of a path happen', () => {
    const steps = [...(pages.get('session.html')?.querySelectorAll('#paths tbody tr') ?? [])];
    const made = steps.filter((row) => row.querySelector('th')?.textContent !== '0');
    expect(made.length).toBeGreaterThan(50);
    expect(made.filter((row) => !/\((by hand|needs .+)\)$/.test(row.children[2]?.textContent ?? ''))).toEqual([]);
  });
});

describe('the page of a machine', () => {
  it.each(machines.map((one) => [one.id, one] as const))('is complete: %s', (id, { machine }) => {
    const subject = subjects.find(({ modelled }) => modelled.id === id);
    if (!subject) throw new Error(id);
    const listed = subject.states.flatMap(({ transitions }) => transitions.filter(({ isRejected }) => !isRejected));
    expect(listed.map(({ name }) => name).sort()).toEqual([...transitionsOf(machine)].sort());
    const untaken = listed.filter(({ name }) => !subject.pathsOfTransition.has(name));
    expect(
      untaken.map(({ name }) => name),
      'no path takes',
    ).toEqual([]);
    // Guards are defined in the source code, and every port is implemented by the program.
    expect([...subject.guards.keys()].sort()).toEqual(Object.keys(machine.implementations.guards).sort());
    expect(subject.delays.map(({ values }) => values.length > 0)).not.toContain(false);
    const ports = Object.keys(machine.implementations.actors).filter((name) => name !== 'forwardEvents');
    expect(subject.implementations.map(({ port }) => port).sort()).toEqual(ports.sort());
    expect(subject.tests.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(subject.tests.length).toBeGreaterThan(0);
  });

  it('shows fixed and computed delays', () => {
    const session = subjects.find(({ modelled }) => modelled.id === 'session');
    const delays = new Map(session?.delays.map(({ name, values, isComputed }) => [name, { values, isComputed }]));
    expect(delays.get('recheckInterval')).toEqual({ values: ['30 s'], isComputed: false });
    expect(delays.get('tokenLifetime')?.isComputed).toBe(true);
    const overridden = subjects.filter(({ delayOverrides }) => delayOverrides).map(({ modelled }) => modelled.id);
    expect(overridden).toEqual(['app']);
    expect(pages.get('app.html')?.querySelector('#delays pre')?.textContent).toContain('remainingStartDelays');
  });

  it('shows which machine starts which', () => {
    const children = (id: string) => subjects.find(({ modelled }) => modelled.id === id)?.children;
    expect(children('imports')).toEqual([{ machine: 'import-study', state: null }]);
    expect(children('app')).toContainEqual({ machine: 'viewset', state: 'app.work.open' });
  });
});
