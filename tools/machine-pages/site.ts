import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transformWithOxc } from 'vite';
import type { Modelled } from '../../tests/machines/models/index.ts';
import { textsOf } from '../machine-texts.ts';
import { pathsThatCover } from '../paths/cover.ts';
import type { Tree } from './actor-section.ts';
import { childrenByMachine } from './actors.ts';
import { chartOf, statesOf } from './chart.ts';
import { delaysOf } from './delays.ts';
import { pageOf } from './frame.ts';
import { indexMarkup } from './index-page.ts';
import { machineMarkup } from './machine-page.ts';
import { definitionsOf, providedIn } from './ports.ts';
import { searchEntriesOf } from './search-index.ts';
import type { PageContext, Subject } from './subject.ts';
import { addressOf, testsOf } from './tests-of.ts';

const pathsByTransition = ({ paths }: Pick<Subject, 'paths'>): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const { number, steps } of paths)
    for (const name of new Set(steps.flatMap(({ taken }) => taken.flat())))
      found.set(name, [...(found.get(name) ?? []), number]);
  return found;
};

/** Reads what the pages show from the machines, the source code and the tests. */
export const subjectsOf = (root: string, machines: readonly Modelled[]): readonly Subject[] => {
  const [provided, tests, children] = [providedIn(root), testsOf(root), childrenByMachine(machines)];
  return machines.map((modelled) => {
    const { id, machine, folder } = modelled;
    const chart = chartOf(machine);
    const { paths } = pathsThatCover(modelled, 'transitions');
    const definitions = definitionsOf(root, folder);
    return {
      modelled,
      chart,
      paths,
      states: statesOf(chart),
      children: children.get(id) ?? [],
      implementations: provided.implementations.filter((one) => one.machine === id),
      delayOverrides: provided.delays.get(id) ?? null,
      guards: definitions.guards,
      delaySnippets: definitions.delays,
      delays: delaysOf(modelled),
      pathsOfTransition: pathsByTransition({ paths }),
      tests: [...new Set([...modelled.tests, ...(tests.get(id) ?? [])])],
    };
  });
};

const here = import.meta.dirname;
const siteTitle = 'State machines of Dentarium';

/** Returns the generated files by name. */
const filesOf = (root: string, out: string, subjects: readonly Subject[]): readonly (readonly [string, string])[] => {
  const toAddress = (file: string) => addressOf(root, out, file);
  const pages = subjects.map((subject) => {
    const page: PageContext = { texts: textsOf(subject.modelled.id), addressOf: toAddress };
    return { subject, page };
  });
  const machines = pages.map(({ subject, page }) => ({ id: subject.modelled.id, name: page.texts.name }));
  const tree: Tree = {
    children: new Map(subjects.map((one) => [one.modelled.id, one.children])),
    nameOf: (machine) => textsOf(machine).name,
  };
  const entries = pages.flatMap(({ subject, page }) => searchEntriesOf(subject, page));
  const start = pageOf({ machines, name: 'index', title: siteTitle, main: indexMarkup(pages, tree) });
  return [
    ...pages.map(({ subject, page }) => {
      const { id } = subject.modelled;
      const title = `${page.texts.name} · ${siteTitle}`;
      return [`${id}.html`, pageOf({ machines, name: id, title, main: machineMarkup(subject, page, tree) })] as const;
    }),
    ['index.html', start],
    ['search-index.js', `globalThis.machineIndex = ${JSON.stringify(entries)};\n`],
  ];
};

/** Writes the pages: a folder that opens from disk, without server and network. */
export const writeSite = async (root: string, out: string, subjects: readonly Subject[]): Promise<void> => {
  mkdirSync(out, { recursive: true });
  for (const [name, text] of filesOf(root, out, subjects)) writeFileSync(path.join(out, name), text);
  for (const name of ['page.css', 'drawing.css'])
    writeFileSync(path.join(out, name), readFileSync(path.join(here, name)));
  const client = path.join(here, 'client.ts');
  const { code } = await transformWithOxc(readFileSync(client, 'utf8'), client, { target: 'es2022' });
  writeFileSync(path.join(out, 'page.js'), code);
};
