import { createContext, useContext } from 'react';
import type { AppActor } from '../machines/app/app.machine.ts';
import type { ImportStudyActor } from '../machines/import-study/import-study.machine.ts';
import type { Images } from '../viewer/index.ts';
import type { Language } from './language/languages.ts';
import type { ThemeChoice } from './theme/appearance.ts';

/** What stands when React begins: the root actor, and the few doors to the world that are no actor. */
export interface Ground {
  readonly app: AppActor;
  /** The pictures of the viewer; its code is fetched at the first call. */
  readonly openImages: () => Promise<Images>;
  /** Puts an import into the tray. */
  readonly importFiles: (patientId: string, files: readonly File[]) => void;
  /** Gives files to an import of the tray whose upload stopped. */
  readonly addFiles: (one: ImportStudyActor, files: readonly File[]) => void;
  readonly themeChoice: () => ThemeChoice;
  readonly rememberTheme: (choice: ThemeChoice) => void;
  readonly rememberLanguage: (language: Language) => void;
}

const GroundContext = createContext<Ground | null>(null);
export const GroundProvider = GroundContext.Provider;

export const useGround = (): Ground => {
  const ground = useContext(GroundContext);
  if (!ground) throw new Error('Ground is used outside its provider');
  return ground;
};
