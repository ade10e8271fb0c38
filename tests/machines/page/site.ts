import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transformWithOxc } from 'vite';
import { type Language, languages } from '../../../src/views/language/languages.ts';
import type { Modelled } from '../models/index.ts';
import { pathsThatCover } from '../paths/cover.ts';
import { wordsOf } from '../paths/words.ts';
import type { Tree } from './actor-section.ts';
import { childrenByMachine } from './actors.ts';
import { chartOf, statesOf } from './chart.ts';
import { delaysOf } from './delays.ts';
import { doorOf, pageOf } from './frame.ts';
import type { Markup } from './html.ts';
import { indexMarkup } from './index-page.ts';
import { machineMarkup } from './machine-page.ts';
import { pageWords } from './page-words.ts';
import { definitionsOf, providedIn } from './ports.ts';
import { sayingsOf } from './sayings.ts';
import { findablesOf } from './search-index.ts';
import type { Setting, Subject } from './subject.ts';
import { addressOf, testsOf } from './tests-of.ts';

const walkedBy = ({ paths }: Pick<Subject, 'paths'>): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const { number, steps } of paths)
    for (const name of new Set(steps.flatMap(({ taken }) => taken.flat())))
      found.set(name, [...(found.get(name) ?? []), number]);
  return found;
};

/** Everything that is told of the machines, read from the product and its tests. */
export const subjectsOf = (root: string, machines: readonly Modelled[]): readonly Subject[] => {
  const [provided, tests, children] = [providedIn(root), testsOf(root), childrenByMachine(machines)];
  return machines.map((modelled) => {
    const { id, machine } = modelled;
    const chart = chartOf(machine);
    const { paths } = pathsThatCover(modelled, 'transitions');
    const definitions = definitionsOf(root, id);
    return {
      ...{ modelled, chart, paths, states: statesOf(chart), children: children.get(id) ?? [] },
      fillings: provided.fillings.filter((one) => one.machine === id),
      delaysAnew: provided.delays.get(id) ?? null,
      ...{ guards: definitions.guards, delayPieces: definitions.delays, delays: delaysOf(modelled) },
      ...{ walkedBy: walkedBy({ paths }), tests: [...new Set([...modelled.tests, ...(tests.get(id) ?? [])])] },
    };
  });
};

const here = import.meta.dirname;

/** Files of one language by their names, with what is in them. */
const filesOf = (root: string, out: string, subjects: readonly Subject[], language: Language) => {
  const [words, pathWords] = [pageWords[language], wordsOf(language)];
  const toldOf = (subject: Subject) => {
    const said = sayingsOf(subject.modelled.id, language);
    const toAddress = (file: string) => addressOf(root, path.join(out, language), file);
    return { subject, setting: { words, pathWords, said, addressOf: toAddress } satisfies Setting };
  };
  const told = subjects.map(toldOf);
  const machines = told.map(({ subject, setting }) => ({ id: subject.modelled.id, name: setting.said.name }));
  const names = new Map(machines.map(({ id, name }) => [id, name]));
  const children = new Map(subjects.map((one) => [one.modelled.id, one.children]));
  const tree: Tree = { words, children, nameOf: (machine) => names.get(machine) ?? machine };
  const framed = (page: string, title: string, main: Markup) => pageOf({ language, machines, page, title, main });
  const findables = told.flatMap(({ subject, setting }) => findablesOf(subject, setting));
  return [
    ...told.map(({ subject, setting }): readonly [string, string] => {
      const { id } = subject.modelled;
      const title = `${setting.said.name} · ${words.title}`;
      return [`${id}.html`, framed(id, title, machineMarkup(subject, setting, tree))];
    }),
    ['index.html', framed('index', words.title, indexMarkup(told, words, tree))] as const,
    ['search-index.js', `globalThis.machineIndex = ${JSON.stringify(findables)};\n`] as const,
  ];
};

/** Writes the pages about the machines: a folder that opens from the disk, without a server and without a network. */
export const writeSite = async (root: string, out: string, subjects: readonly Subject[]): Promise<void> => {
  for (const language of languages) {
    rmSync(path.join(out, language), { recursive: true, force: true });
    mkdirSync(path.join(out, language), { recursive: true });
    for (const [name, text] of filesOf(root, out, subjects, language))
      writeFileSync(path.join(out, language, name), text);
  }
  writeFileSync(path.join(out, 'index.html'), doorOf());
  for (const name of ['page.css', 'drawing.css'])
    writeFileSync(path.join(out, name), readFileSync(path.join(here, name)));
  const client = path.join(here, 'client.ts');
  const { code } = await transformWithOxc(readFileSync(client, 'utf8'), client, { target: 'es2022' });
  writeFileSync(path.join(out, 'page.js'), code);
};
