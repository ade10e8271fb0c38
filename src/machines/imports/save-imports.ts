import type { Subscription } from 'xstate';
import { type AppActor, selectImportsTray } from '../app/app.machine.ts';
import type { ChosenFile } from '../import-study/upload.rules.ts';
import type { ImportToStore } from './choose-files.ts';
import { type ImportsActor, selectImports } from './imports.machine.ts';
import type { TrayImport } from './imports.rules.ts';

/** Stores imports for a reload of the page. */
export interface StoredImports {
  readonly begin: (one: ImportToStore, files: readonly ChosenFile[]) => void;
  readonly change: (id: string, changed: { readonly taskId: string | null; readonly paused: boolean }) => void;
  readonly remove: (id: string) => void;
  /** The tray has stopped: stored imports stay for the next sign-in. */
  readonly signOut: () => void;
}

/** Stores an import for a reload, and removes it when it ends. */
const saveImport = ({ id, actor }: TrayImport, stored: StoredImports): Subscription => {
  let previous = actor.getSnapshot();
  return actor.subscribe((snapshot) => {
    const { taskId, paused } = snapshot.context;
    if (taskId !== previous.context.taskId || paused !== previous.context.paused) stored.change(id, { taskId, paused });
    previous = snapshot;
    if (snapshot.status === 'done') stored.remove(id);
  });
};

/** Stores the imports of a tray as long as it runs. */
export const saveTray = (tray: ImportsActor, stored: StoredImports): void => {
  const watched = new Map<string, Subscription>();
  const update = () => {
    const imports = selectImports(tray.getSnapshot());
    for (const one of imports) if (!watched.has(one.id)) watched.set(one.id, saveImport(one, stored));
    const ids = new Set(imports.map(({ id }) => id));
    for (const [id, subscription] of watched) {
      if (ids.has(id)) continue;
      subscription.unsubscribe();
      watched.delete(id);
      stored.remove(id);
    }
  };
  tray.on('imports.started', ({ patientId, customerId, groups }) => {
    for (const { id, kind, name, files } of groups)
      stored.begin({ id, patientId, customerId, kind, name, taskId: null, paused: false }, files);
  });
  tray.subscribe({ next: update, complete: () => stored.signOut() });
  update();
};

/** Stores the imports of each session. */
export const saveImports = (app: AppActor, stored: StoredImports): void => {
  let current: ImportsActor | undefined;
  const look = () => {
    const tray = selectImportsTray(app.getSnapshot());
    if (tray === current) return;
    current = tray;
    if (tray) saveTray(tray, stored);
  };
  app.subscribe(look);
  look();
};
