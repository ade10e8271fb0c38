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

/** What the product gives to a machine when it starts it. */
export interface Provided {
  readonly fillings: readonly Filling[];
  /** Delays that it sets anew, by machine. */
  readonly delays: ReadonlyMap<string, Piece>;
}

/** Everything that the product gives to its machines, read from its own source. */
export const providedIn = (root: string): Provided => {
  const calls = filesBelow(root, 'src')
    .flatMap((file) => callsIn(root, file, 'provide'))
    .flatMap((call) => {
      const machine = folderOf(call.name);
      return machine ? [{ machine, ...call }] : [];
    });
  return {
    fillings: calls.flatMap(({ machine, given }) =>
      [...given('actors')].map(([port, piece]) => ({ machine, port, ...piece })),
    ),
    delays: new Map(
      calls.flatMap(({ machine, whole }) => {
        const piece = whole('delays');
        return piece ? [[machine, piece] as const] : [];
      }),
    ),
  };
};

/** How the guards and delays of a machine are written. */
export const definitionsOf = (
  root: string,
  machine: string,
): { readonly guards: ReadonlyMap<string, Piece>; readonly delays: ReadonlyMap<string, Piece> } => {
  const set = filesBelow(root, `src/machines/${machine}`).flatMap((file) => callsIn(root, file, 'setup'));
  const pieces = (kind: string) => new Map(set.flatMap(({ given }) => [...given(kind)]));
  return { guards: pieces('guards'), delays: pieces('delays') };
};
