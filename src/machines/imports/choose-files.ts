import type { ImportKind } from '../../../contract/imports.ts';
import { newId } from '../../../contract/new-id.ts';
import { type AppActor, selectImportsTray } from '../app/app.machine.ts';
import { type ImportStudyActor, selectLostFiles } from '../import-study/import-study.machine.ts';
import { type ChosenFile, matchLostFiles, type SkippedFile } from '../import-study/upload.rules.ts';

/** A browser file. `path`: folders and name within the selection, separated by `/`. */
export interface FileToImport {
  readonly file: File;
  readonly path: string;
}

/** Files chosen together; they become one import. */
export interface FilesToImport {
  readonly kind: ImportKind;
  readonly name: string;
  readonly files: readonly FileToImport[];
  readonly leftOut: readonly SkippedFile[];
}

/** Destination of an import: a patient or, if `patientId` is null, a clinic where each study is assigned later. */
export interface ImportTarget {
  readonly patientId: string | null;
  readonly customerId: string;
}

/** What is stored of an import besides its files. */
export interface ImportToStore extends ImportTarget {
  readonly id: string;
  readonly kind: ImportKind;
  readonly name: string;
  readonly taskId: string | null;
  readonly paused: boolean;
}

/** Holds the bytes of chosen files, of which machines know only the keys. */
export interface ChosenFiles {
  /** Assigns a unique key to each file. */
  readonly choose: (files: readonly FileToImport[]) => readonly ChosenFile[];
  /** Stores files that were added to an import. */
  readonly begin: (one: ImportToStore, files: readonly ChosenFile[]) => void;
  /** Restores lost files under their keys. */
  readonly restoreFiles: (id: string, files: ReadonlyMap<string, File>) => void;
}

/** Returns the function that adds an import to the tray for each group; it does nothing after sign-out. */
export const createImports =
  (app: AppActor, chosenFiles: Pick<ChosenFiles, 'choose'>) =>
  (target: ImportTarget, groups: readonly FilesToImport[]): void => {
    const tray = selectImportsTray(app.getSnapshot());
    if (!tray) return;
    const chosen = groups.map((group) => ({ ...group, id: newId(), files: chosenFiles.choose(group.files) }));
    tray.send({ type: 'imports.chosen', ...target, groups: chosen });
  };

/** Returns the function that adds files to an import: the lost ones that are among them, or all. It returns how many were accepted. */
export const createAddFiles =
  (chosenFiles: ChosenFiles) =>
  (one: ImportStudyActor, files: readonly FileToImport[]): number => {
    const snapshot = one.getSnapshot();
    const lost = selectLostFiles(snapshot);
    if (lost.length === 0) {
      const { id, patientId, customerId, kind, name, taskId } = snapshot.context;
      const added = chosenFiles.choose(files);
      if (!snapshot.can({ type: 'files.added', files: added })) return 0;
      chosenFiles.begin({ id, patientId, customerId, kind, name, taskId, paused: false }, added);
      one.send({ type: 'files.added', files: added });
      return added.length;
    }
    const restored = new Map<string, File>();
    const chosen = files.map(({ file, path }) => ({ path, sizeBytes: file.size }));
    for (const { key, index } of matchLostFiles(lost, chosen)) {
      const file = files[index]?.file;
      if (file) restored.set(key, file);
    }
    chosenFiles.restoreFiles(snapshot.context.id, restored);
    one.send({ type: 'files.added', files: lost.filter(({ key }) => restored.has(key)) });
    return restored.size;
  };
