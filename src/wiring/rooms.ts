import type { AppActor, appMachine } from '../machines/app/app.machine.ts';
import type { ImportStudyActor } from '../machines/import-study/import-study.machine.ts';
import type { FilesToImport, FileToImport, ImportTarget } from '../views/ground.tsx';
import { wiredConnection } from './connection.ts';
import { addTo, chooseInto, keepImports, wiredImports } from './imports.ts';
import { keepChanges } from './kept-changes.ts';
import { wiredPatientSearch, wiredViewer, wiredViewset } from './reading-room.ts';
import { createRoomServices } from './room-services.ts';
import type { Services } from './services.ts';

export interface Rooms {
  /** Puts imports into the tray, one for each group; nothing when nobody is signed in. */
  readonly importFiles: (target: ImportTarget, groups: readonly FilesToImport[]) => void;
  /** Gives files to an import whose upload stopped, or that lacks files. Answers how many of them it took. */
  readonly addFiles: (one: ImportStudyActor, files: readonly FileToImport[]) => number;
}

/** Puts into the slots of the running root what belongs to a session, before one opens. */
const fillSlots = (appMachine: AppMachine, services: ReturnType<typeof createRoomServices>): void => {
  const { implementations } = appMachine.provide({
    actors: {
      connection: wiredConnection(services),
      imports: wiredImports(services),
      patientSearch: wiredPatientSearch(services),
      viewset: wiredViewset(services),
      viewer: wiredViewer(services),
    },
  });
  // XState looks an actor's logic up when it begins one.
  Object.assign(appMachine.implementations.actors, implementations.actors);
};

type AppMachine = typeof appMachine;

/** Everything of a session that the sign-in page does without. Once, and before anybody is taken in. */
export const openRooms = (machine: AppMachine, app: AppActor, services: Services): Rooms => {
  const rooms = createRoomServices(services);
  fillSlots(machine, rooms);
  keepImports(app, rooms.importFiles);
  keepChanges(app, services.drafts);
  return { importFiles: chooseInto(app, rooms.importFiles), addFiles: addTo(rooms.importFiles) };
};
