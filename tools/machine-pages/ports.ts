import { filesBelow } from '../../tests/imports-of.ts';
import { callsIn, type Snippet } from './source.ts';

/** Source code that implements a port. */
export interface PortImplementation extends Snippet {
  /** Folder of the machine, `import-study`. */
  readonly machine: string;
  readonly port: string;
}

/** `bankIdMachine.provide` -> `bank-id`; null for other calls. */
const folderOf = (called: string): string | null => {
  const name = /^(\w+)Machine\.provide$/.exec(called)?.[1];
  return name?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) ?? null;
};

/** What the program provides to the machines when it starts them. */
export interface Provided {
  readonly implementations: readonly PortImplementation[];
  /** Overridden delays, by machine. */
  readonly delays: ReadonlyMap<string, Snippet>;
}

/** Reads from the source code what the program provides to its machines. */
export const providedIn = (root: string): Provided => {
  const calls = filesBelow(root, 'src')
    .flatMap((file) => callsIn(root, file, 'provide'))
    .flatMap((call) => {
      const machine = folderOf(call.name);
      return machine ? [{ machine, ...call }] : [];
    });
  return {
    implementations: calls.flatMap(({ machine, given }) =>
      [...given('actors')].map(([port, snippet]) => ({ machine, port, ...snippet })),
    ),
    delays: new Map(
      calls.flatMap(({ machine, whole }) => {
        const snippet = whole('delays');
        return snippet ? [[machine, snippet] as const] : [];
      }),
    ),
  };
};

/** Reads the definitions of the guards and delays of the machine in a folder. */
export const definitionsOf = (
  root: string,
  folder: string,
): { readonly guards: ReadonlyMap<string, Snippet>; readonly delays: ReadonlyMap<string, Snippet> } => {
  const set = filesBelow(root, folder).flatMap((file) => callsIn(root, file, 'setup'));
  const snippets = (kind: string) => new Map(set.flatMap(({ given }) => [...given(kind)]));
  return { guards: snippets('guards'), delays: snippets('delays') };
};
