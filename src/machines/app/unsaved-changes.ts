import type { Subscription } from 'xstate';
import { newId } from '../../../contract/new-id.ts';
import { type Change, unsavedOf } from '../viewer/saving.rules.ts';
import { isEqual } from '../viewer/versioned.rules.ts';
import type { ViewerActor } from '../viewer/viewer.machine.ts';
import type { ViewsetActor } from '../viewset/viewset.machine.ts';
import { type AppActor, selectViewer, selectViewsetActor } from './app.machine.ts';

interface UnsavedWork {
  readonly key: string;
  /** The path at which it was started. */
  readonly place: string;
  readonly what: { readonly kind: string } & Readonly<Record<string, unknown>>;
  readonly content: unknown;
}

/** The stored drafts of the signed-in user. */
export interface DraftStore {
  /** Drafts that are not in use. */
  readonly offered: () => readonly UnsavedWork[];
  readonly save: (draft: UnsavedWork) => void;
  readonly drop: (key: string) => void;
  /** Returns the function that ends the use. */
  readonly markInUse: (key: string) => () => void;
}

/** Returns the identity of a change: kind, viewset and image. */
const nameOf = (change: Change): string =>
  `${change.kind}/${change.kind === 'display' ? (change.viewsetId ?? '') : ''}/${change.imageUid}`;

/** Drafts of one actor, marked as in use while the actor can still save them. `release`: the actor has stopped. */
const draftsOfActor = (drafts: DraftStore) => {
  const inUse = new Map<string, () => void>();
  return {
    save: (draft: UnsavedWork) => {
      if (!inUse.has(draft.key)) inUse.set(draft.key, drafts.markInUse(draft.key));
      drafts.save(draft);
    },
    /** Removes drafts with other keys: they were saved or rolled back. */
    keepOnly: (keys: readonly string[]) => {
      for (const [key, release] of [...inUse]) {
        if (keys.includes(key)) continue;
        inUse.delete(key);
        drafts.drop(key);
        release();
      }
    },
    release: () => {
      for (const release of inUse.values()) release();
      inUse.clear();
    },
  };
};

const saveViewsetChanges = (actor: ViewsetActor, drafts: DraftStore): Subscription => {
  const own = draftsOfActor(drafts);
  const run = newId();
  let previous: readonly unknown[] = [];
  return actor.subscribe({
    next: ({ context: { confirmed, pending } }) => {
      if (pending === previous) return;
      previous = pending;
      if (!confirmed || pending.length === 0) return own.keepOnly([]);
      const { viewSetUuid: viewsetId, patientId, name, studyUid } = confirmed;
      const key = `hanging/${viewsetId}/${run}`;
      const place = `/patient/${patientId}/${encodeURIComponent(studyUid)}/${viewsetId}`;
      own.keepOnly([key]);
      own.save({ key, place, what: { kind: 'hanging', name, patientId, viewsetId }, content: { operations: pending } });
    },
    complete: own.release,
  });
};

const saveImageChanges = (actor: ViewerActor, drafts: DraftStore, currentPath: () => string): Subscription => {
  const own = draftsOfActor(drafts);
  const run = newId();
  const places = new Map<string, string>();
  let previous: unknown = null;
  return actor.subscribe({
    next: ({ context: { workspace } }) => {
      if (workspace === previous) return;
      previous = workspace;
      const changes = unsavedOf(workspace);
      const at = new Map<string, Change[]>();
      for (const change of changes) {
        // The path at the time of the change; the user may have navigated since.
        const place = places.get(nameOf(change)) ?? currentPath();
        places.set(nameOf(change), place);
        at.set(place, [...(at.get(place) ?? []), change]);
      }
      for (const name of [...places.keys()]) if (!changes.some((one) => nameOf(one) === name)) places.delete(name);
      const keyOf = (place: string) => `looks/${place}/${run}`;
      own.keepOnly([...at.keys()].map(keyOf));
      for (const [place, content] of at)
        own.save({ key: keyOf(place), place, what: { kind: 'looks', name: '' }, content: { changes: content } });
    },
    complete: own.release,
  });
};

/** Stores unsaved changes of mounts and images as drafts, so that they survive the end of the session or page. */
export const saveUnsavedChanges = (app: AppActor, drafts: DraftStore, currentPath: () => string): void => {
  let viewer: ViewerActor | undefined;
  let viewset: ViewsetActor | undefined;
  app.subscribe((snapshot) => {
    const [newViewer, newViewset] = [selectViewer(snapshot), selectViewsetActor(snapshot)];
    if (newViewer && newViewer !== viewer) saveImageChanges(newViewer, drafts, currentPath);
    if (newViewset && newViewset !== viewset) saveViewsetChanges(newViewset, drafts);
    [viewer, viewset] = [newViewer, newViewset];
  });
};

/** Removes the draft of a change that was saved after its viewer had stopped. */
export const forgetSaved = (drafts: DraftStore, saved: Change): void => {
  const isIt = (one: unknown) => {
    const { version: _, ...value } = saved;
    return typeof one === 'object' && one !== null && isEqual({ ...one, version: 0 }, { ...value, version: 0 });
  };
  for (const { key, place, what, content } of drafts.offered()) {
    if (what.kind !== 'looks' || typeof content !== 'object' || content === null || !('changes' in content)) continue;
    const changes = Array.isArray(content.changes) ? content.changes : [];
    const remaining = changes.filter((one) => !isIt(one));
    if (remaining.length === changes.length) continue;
    if (remaining.length === 0) drafts.drop(key);
    else drafts.save({ key, place, what, content: { changes: remaining } });
  }
};
