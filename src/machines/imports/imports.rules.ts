import type { ImportKind } from '../../../contract/imports.ts';
import type { ImportStudyActor } from '../import-study/import-study.machine.ts';
import type { ChosenFile, SkippedFile, StoredFile } from '../import-study/upload.rules.ts';

export interface TrayImport {
  readonly id: string;
  /** null: into the clinic; the patient is chosen per study. */
  readonly patientId: string | null;
  readonly customerId: string;
  readonly kind: ImportKind;
  readonly name: string;
  /** The archive's id if the import was found there; null if it was started here. */
  readonly taskId: string | null;
  readonly actor: ImportStudyActor;
}

/** Files chosen together. `id` identifies the import before the archive has created it. */
export interface ChosenGroup {
  readonly id: string;
  readonly kind: ImportKind;
  readonly name: string;
  readonly files: readonly ChosenFile[];
  readonly leftOut: readonly SkippedFile[];
}

/** A stored import of an earlier session of the same user. */
export interface StoredImport {
  readonly id: string;
  readonly patientId: string | null;
  readonly customerId: string;
  readonly kind: ImportKind;
  readonly name: string;
  readonly taskId: string | null;
  readonly paused: boolean;
  readonly files: readonly StoredFile[];
}

/** An import found in the archive, started elsewhere or earlier. */
export interface FoundImport {
  readonly taskId: string;
  readonly patientId: string | null;
  readonly customerId: string;
  readonly kind: ImportKind;
  readonly name: string;
}

export const without = (imports: readonly TrayImport[], id: string): readonly TrayImport[] =>
  imports.filter((one) => one.id !== id);

/** Returns whether the tray already has this import of the archive. */
export const isKnown = (imports: readonly TrayImport[], taskId: string): boolean =>
  imports.some(
    (one) => one.id === taskId || one.taskId === taskId || one.actor.getSnapshot().context.taskId === taskId,
  );

/** Returns the groups that become imports: without known ids, files of other imports, and empty groups. */
export const freshGroups = (imports: readonly TrayImport[], groups: readonly ChosenGroup[]): readonly ChosenGroup[] => {
  const ids = new Set(imports.map(({ id }) => id));
  const places = imports.map(({ actor }) => actor.getSnapshot().context.upload.places);
  const taken = new Set<string>();
  return groups.flatMap((group) => {
    const files = group.files.filter(
      ({ key }) => !taken.has(key) && !places.some((indexes) => indexes[key] !== undefined),
    );
    if (files.length === 0 || ids.has(group.id)) return [];
    ids.add(group.id);
    for (const { key } of files) taken.add(key);
    return [{ ...group, files }];
  });
};

export const isUnderWay = ({ actor }: TrayImport): boolean => actor.getSnapshot().status === 'active';

/** Returns whether the import has ended; removing any other import from the tray cancels it. */
export const isSettled = ({ actor }: TrayImport): boolean => {
  const snapshot = actor.getSnapshot();
  return snapshot.status !== 'active' || snapshot.matches('failed') || snapshot.matches('doneInPart');
};
