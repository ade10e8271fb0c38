import type { ImportStudyActor } from '../../machines/import-study/import-study.machine.ts';
import { type ImportsActor, selectImports } from '../../machines/imports/imports.machine.ts';
import type { ImportTarget } from '../ground.tsx';
import type { ImportGroup, LeftOut } from './groups.ts';

const none: readonly LeftOut[] = [];
const left = new WeakMap<ImportStudyActor, readonly LeftOut[]>();

/** What lay beside the files of an import begun here and was not sent; its row says so. */
export const notSentOf = (one: ImportStudyActor): readonly LeftOut[] => left.get(one) ?? none;

/** Longest name that the archive takes; of a long path the end says most. */
const longest = 255;

const nameFor = ({ name, more }: ImportGroup) => (more > 0 ? `${name} +${more}` : name).slice(-longest);

type Import = (
  target: ImportTarget,
  groups: readonly (Pick<ImportGroup, 'kind' | 'files'> & { readonly name: string })[],
) => void;

/** Puts groups into the tray, and remembers with each import what was left out of it. */
export const putIntoTray = (
  tray: ImportsActor,
  importFiles: Import,
  target: ImportTarget,
  groups: readonly ImportGroup[],
): void => {
  const before = new Set(selectImports(tray.getSnapshot()).map(({ id }) => id));
  importFiles(
    target,
    groups.map((group) => ({ kind: group.kind, name: nameFor(group), files: group.files })),
  );
  const fresh = selectImports(tray.getSnapshot())
    .filter(({ id }) => !before.has(id))
    .toReversed();
  for (const group of groups) {
    if (group.leftOut.length === 0) continue;
    const one = fresh.find(
      ({ kind, name, actor }) => kind === group.kind && name === nameFor(group) && !left.has(actor),
    );
    if (one) left.set(one.actor, group.leftOut);
  }
};
