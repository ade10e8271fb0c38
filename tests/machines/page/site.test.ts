import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { JSDOM } from 'jsdom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../../src/views/language/languages.ts';
import { transitionsOf } from '../../paths.ts';
import { machines } from '../models/index.ts';
import type { Findable } from './search-index.ts';
import { subjectsOf, writeSite } from './site.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');
const out = mkdtempSync(path.join(tmpdir(), 'machines-'));
const pages = new Map<string, Document>();

const documentOf = (file: string): Document =>
  new JSDOM(readFileSync(file, 'utf8'), { url: pathToFileURL(file).href }).window.document;

const idsIn = (page: Document): ReadonlySet<string> => new Set([...page.querySelectorAll('[id]')].map(({ id }) => id));

const subjects = subjectsOf(root, machines);
/** In each language stands the same; two are read. */
const read: readonly string[] = ['sv', 'no'];

beforeAll(async () => {
  await writeSite(root, out, subjects);
  for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.html') && (name === 'index.html' || read.includes(name.split(path.sep)[0] ?? '')))
      pages.set(name.split(path.sep).join('/'), documentOf(path.join(out, name)));
}, 240_000);
afterAll(() => rmSync(out, { recursive: true }));

/** Where an address of a page leads: to a file, and to a place in it when it is one of the pages. */
const leadsTo = (page: string, href: string): { readonly file: string; readonly anchor: string } => {
  const [file = '', anchor = ''] = href.split('#');
  return { file: file === '' ? page : path.posix.join(path.posix.dirname(page), decodeURIComponent(file)), anchor };
};

describe('the pages about machines', () => {
  it('are there for every machine in every language', () => {
    const names = [...machines.map(({ id }) => id), 'index'].flatMap((name) =>
      languages.map((language) => path.join(language, `${name}.html`)),
    );
    const written = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
    expect(written.sort()).toEqual([...names, 'index.html'].sort());
  });

  it('lead nowhere but to what is there', () => {
    const ids = new Map([...pages].map(([name, page]) => [name, idsIn(page)]));
    const lost = [...pages].flatMap(([name, page]) =>
      [...page.querySelectorAll('[href], [src]')].flatMap((element) => {
        const href = element.getAttribute('href') ?? element.getAttribute('src') ?? '';
        const { file, anchor } = leadsTo(name, href);
        const isThere = existsSync(path.join(out, file)) && (anchor === '' || ids.get(file)?.has(anchor));
        return isThere && !/^\w+:/.test(href) ? [] : [`${name}: ${href}`];
      }),
    );
    expect(lost).toEqual([]);
  });

  it('keep to what a strict policy allows, and name each place once', () => {
    for (const [name, page] of pages) {
      expect(page.querySelectorAll('[style], script:not([src]), style').length, name).toBe(0);
      const all = [...page.querySelectorAll('[id]')].map(({ id }) => id);
      expect(all.length, name).toBe(new Set(all).size);
      expect(page.querySelectorAll('h1').length, name).toBe(1);
      expect(page.title, name).not.toBe('');
    }
  });

  it('are found by everything that they tell, in the language that is read', () => {
    for (const language of read) {
      const context: { machineIndex?: readonly Findable[] } = {};
      runInNewContext(readFileSync(path.join(out, language, 'search-index.js'), 'utf8'), context);
      const found = context.machineIndex ?? [];
      for (const { text, href } of found) {
        const { file, anchor } = leadsTo(`${language}/index.html`, href);
        const page = pages.get(file);
        expect(page && (anchor === '' || page.getElementById(anchor)), `${text}: ${href}`).toBeTruthy();
      }
      const named = JSON.parse(readFileSync(path.join(root, 'locales', language, 'machines.json'), 'utf8'));
      const texts = found.map(({ text }) => text).join('\n');
      const keys = Object.keys(named).filter((key) => /^(state|event|guard|delay|port)\./.test(key));
      expect(keys.filter((key) => !texts.includes(named[key]))).toEqual([]);
    }
  });

  it('say every word in the language of the page', () => {
    const told = languages.map((language) => readFileSync(path.join(out, language, 'session.html'), 'utf8'));
    expect(new Set(told.map((text) => /<h1>(.*)<\/h1>/.exec(text)?.[1])).size).toBe(languages.length);
    expect([...pages].map(([name, page]) => [name.split('/')[0], page.documentElement.lang])).toEqual(
      [...pages.keys()].map((name) => {
        const language = name.includes('/') ? (name.split('/')[0] ?? '') : 'en';
        return [name.split('/')[0], language === 'no' ? 'nb' : language];
      }),
    );
  });
});

describe('what is told of a machine', () => {
  it.each(machines.map((one) => [one.id, one] as const))('is whole: %s', (id, { machine }) => {
    const subject = subjects.find(({ modelled }) => modelled.id === id);
    if (!subject) throw new Error(id);
    const told = subject.states.flatMap(({ transitions }) => transitions.filter(({ isRefused }) => !isRefused));
    expect(told.map(({ name }) => name).sort()).toEqual([...transitionsOf(machine)].sort());
    const untaken = told.filter(({ name }) => !subject.walkedBy.has(name));
    expect(
      untaken.map(({ name }) => name),
      'no path takes',
    ).toEqual([]);
    // What the chart uses is written in the source, and what is a slot is filled by the product.
    expect([...subject.guards.keys()].sort()).toEqual(Object.keys(machine.implementations.guards).sort());
    expect(subject.delays.map(({ values }) => values.length > 0)).not.toContain(false);
    const slots = Object.keys(machine.implementations.actors).filter((name) => name !== 'hear');
    expect(subject.fillings.map(({ port }) => port).sort()).toEqual(slots.sort());
    expect(subject.tests.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(subject.tests.length).toBeGreaterThan(0);
  });

  it('has real times: fixed ones, and worked out ones by example', () => {
    const session = subjects.find(({ modelled }) => modelled.id === 'session');
    const times = new Map(session?.delays.map(({ name, values, isWorkedOut }) => [name, { values, isWorkedOut }]));
    expect(times.get('recheckInterval')).toEqual({ values: ['30 s'], isWorkedOut: false });
    expect(times.get('tokenLifetime')?.isWorkedOut).toBe(true);
    const anew = subjects.filter(({ delaysAnew }) => delaysAnew).map(({ modelled }) => modelled.id);
    expect(anew).toEqual(['app']);
    expect(pages.get('no/app.html')?.querySelector('#delays pre')?.textContent).toContain('startWaits');
  });

  it('says who starts whom', () => {
    const children = (id: string) => subjects.find(({ modelled }) => modelled.id === id)?.children;
    expect(children('imports')).toEqual([{ machine: 'import-study', state: null }]);
    expect(children('app')).toContainEqual({ machine: 'viewset', state: 'app.work.open' });
  });
});
