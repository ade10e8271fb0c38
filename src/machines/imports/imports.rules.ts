import type { ImportStudyActor } from '../import-study/import-study.machine.ts';

export interface TrayImport {
  readonly id: string;
  readonly patientId: string;
  /** The archive's id, when the import was found there rather than begun here. */
  readonly taskId: string | null;
  readonly actor: ImportStudyActor;
}

export const without = (imports: readonly TrayImport[], id: string): readonly TrayImport[] =>
  imports.filter((one) => one.id !== id);

/** Is this import of the archive in the tray already, found or begun here? */
export const isKnown = (imports: readonly TrayImport[], taskId: string): boolean =>
  imports.some((one) => one.taskId === taskId || one.actor.getSnapshot().context.taskId === taskId);

export const isUnderWay = ({ actor }: TrayImport): boolean => actor.getSnapshot().status === 'active';

/** An import whose fate is decided may leave the tray without a word; any other is cancelled by leaving. */
export const isSettled = ({ actor }: TrayImport): boolean => {
  const snapshot = actor.getSnapshot();
  return snapshot.status !== 'active' || snapshot.matches('failed');
};

export const idOfImport = (number: number): string => `import-${number}`;
