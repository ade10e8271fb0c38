import type { Language } from '../../../src/views/language/languages.ts';
import { da } from './page-words.da.ts';
import { en } from './page-words.en.ts';
import { no } from './page-words.no.ts';
import { sv } from './page-words.sv.ts';

/** The words of the pages about machines, as far as they are not a machine's own. */
export interface PageWords {
  readonly title: string;
  readonly intro: string;
  readonly language: string;
  readonly skip: string;
  readonly contents: string;
  readonly allMachines: string;
  readonly search: string;
  readonly searchHelp: string;
  /** With `{count}`. */
  readonly found: { readonly one: string; readonly other: string };
  readonly nothingFound: string;
  readonly actorTree: string;
  readonly actorTreeHelp: string;
  readonly byPage: string;
  readonly spawned: string;
  readonly drawing: string;
  readonly drawingHelp: string;
  readonly wholeDrawing: string;
  readonly states: string;
  readonly events: string;
  readonly guards: string;
  readonly delays: string;
  readonly ports: string;
  readonly portsHelp: string;
  readonly paths: string;
  readonly pathsHelp: string;
  readonly tests: string;
  readonly source: string;
  readonly transitions: string;
  readonly name: string;
  readonly meaning: string;
  readonly where: string;
  readonly value: string;
  readonly filledBy: string;
  readonly builtIn: string;
  readonly otherMachine: string;
  readonly cause: string;
  readonly condition: string;
  readonly leadsTo: string;
  readonly does: string;
  readonly walkedBy: string;
  readonly definition: string;
  readonly workedOut: string;
  readonly setAnew: string;
  readonly runsHere: string;
  readonly onEntry: string;
  readonly onExit: string;
  readonly kinds: {
    readonly compound: string;
    readonly parallel: string;
    readonly final: string;
    readonly initial: string;
  };
  readonly stays: string;
  readonly refused: string;
  readonly otherwise: string;
  readonly always: string;
  readonly finished: string;
  /** With `{delay}`. */
  readonly after: string;
  readonly step: string;
  readonly happens: string;
  readonly expected: string;
  /** Before the situation in which a path begins. */
  readonly begin: string;
  readonly nothingYet: string;
}

export const pageWords: Readonly<Record<Language, PageWords>> = { sv, en, da, no };

/** A template with its value put in. */
export const withValue = (template: string, value: string): string => template.replace(/\{\w+\}/, () => value);
