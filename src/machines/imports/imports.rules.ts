import type { ImportKind } from '../../../contract/imports.ts';
import type { ImportStudyActor } from '../import-study/import-study.machine.ts';
import type { ChosenFile, KeptFile } from '../import-study/upload.rules.ts';

export interface TrayImport {
  readonly id: string;
  /** null: into the clinic, decided study by study. */
  readonly patientId: string | null;
  readonly customerId: string;
  readonly kind: ImportKind;
  readonly name: string;
  /** The archive's id, when the import was found there rather than begun here. */
  readonly taskId: string | null;
  readonly actor: ImportStudyActor;
}

/** What was chosen as one thing. `id` names the import before the archive knows of it. */
export interface ChosenGroup {
  readonly id: string;
  readonly kind: ImportKind;
  readonly name: string;
  readonly files: readonly ChosenFile[];
}

/** An import as an earlier session of the same person left it. */
export interface KeptImport {
  readonly id: string;
  readonly patientId: string | null;
  readonly customerId: string;
  readonly kind: ImportKind;
  readonly name: string;
  readonly taskId: string | null;
  readonly paused: boolean;
  readonly files: readonly KeptFile[];
}

/** An import that the archive holds, begun elsewhere or before. */
export interface FoundImport {
  readonly taskId: string;
  readonly patientId: string | null;
  readonly customerId: string;
  readonly kind: ImportKind;
  readonly name: string;
}

export const without = (imports: readonly TrayImport[], id: string): readonly TrayImport[] =>
  imports.filter((one) => one.id !== id);

/** Is this import of the archive in the tray already, found or begun here? */
export const isKnown = (imports: readonly TrayImport[], taskId: string): boolean =>
  imports.some(
    (one) => one.id === taskId || one.taskId === taskId || one.actor.getSnapshot().context.taskId === taskId,
  );

/** What of the chosen may become imports: none that is one already, no file that is in another, nothing empty. */
export const freshGroups = (imports: readonly TrayImport[], groups: readonly ChosenGroup[]): readonly ChosenGroup[] => {
  const ids = new Set(imports.map(({ id }) => id));
  const places = imports.map(({ actor }) => actor.getSnapshot().context.upload.places);
  const taken = new Set<string>();
  return groups.flatMap((group) => {
    const files = group.files.filter(({ key }) => !taken.has(key) && !places.some((held) => held[key] !== undefined));
    if (files.length === 0 || ids.has(group.id)) return [];
    ids.add(group.id);
    for (const { key } of files) taken.add(key);
    return [{ ...group, files }];
  });
};

export const isUnderWay = ({ actor }: TrayImport): boolean => actor.getSnapshot().status === 'active';

/** An import whose fate is decided may leave the tray without a word; any other is cancelled by leaving. */
export const isSettled = ({ actor }: TrayImport): boolean => {
  const snapshot = actor.getSnapshot();
  return snapshot.status !== 'active' || snapshot.matches('failed') || snapshot.matches('doneInPart');
};
