import { filesBelow } from '../../imports-of.ts';
import { callsIn, type Piece } from './source.ts';

/** What fills a slot of a machine. */
export interface Filling extends Piece {
  /** Folder of the machine, `import-study`. */
  readonly machine: string;
  readonly port: string;
}

/** `bankIdMachine.provide` -> `bank-id`; null for what is no machine of ours. */
const folderOf = (called: string): string | null => {
  const name = /^(\w+)Machine\.provide$/.exec(called)?.[1];
  return name?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) ?? null;
};

/** Everything that the product puts into the slots of its machines, read from its own source. */
export const fillingsOf = (root: string): readonly Filling[] =>
  filesBelow(root, 'src')
    .flatMap((file) => callsIn(root, file, 'provide'))
    .flatMap(({ name, given }) => {
      const machine = folderOf(name);
      return machine ? [...given('actors')].map(([port, piece]) => ({ machine, port, ...piece })) : [];
    });

/** How the guards and delays of a machine are written. */
export const definitionsOf = (
  root: string,
  machine: string,
): { readonly guards: ReadonlyMap<string, Piece>; readonly delays: ReadonlyMap<string, Piece> } => {
  const set = filesBelow(root, `src/machines/${machine}`).flatMap((file) => callsIn(root, file, 'setup'));
  const pieces = (kind: string) => new Map(set.flatMap(({ given }) => [...given(kind)]));
  return { guards: pieces('guards'), delays: pieces('delays') };
};
