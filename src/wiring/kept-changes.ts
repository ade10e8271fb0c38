import type { Subscription } from 'xstate';
import { type AppActor, selectViewer, selectViewsetActor } from '../machines/app/app.machine.ts';
import { isSame } from '../machines/viewer/kept.rules.ts';
import { type Change, unsavedOf } from '../machines/viewer/saving.rules.ts';
import type { ViewerActor } from '../machines/viewer/viewer.machine.ts';
import type { ViewsetActor } from '../machines/viewset/viewset.machine.ts';
import type { Drafts } from '../services/drafts.ts';

const placeNow = () => window.location.pathname + window.location.search;

/** Which place of an image a change is about. */
const nameOf = (change: Change): string =>
  `${change.kind}/${change.kind === 'display' ? (change.viewsetId ?? '') : ''}/${change.imageUid}`;

/** Drafts of one actor: nobody is offered what it still means to send. `leave`: it is gone, and with it who would have sent them. */
const draftsOfActor = (drafts: Drafts) => {
  const held = new Map<string, () => void>();
  return {
    keep: (draft: Parameters<Drafts['keep']>[0]) => {
      if (!held.has(draft.key)) held.set(draft.key, drafts.hold(draft.key));
      drafts.keep(draft);
    },
    /** Those with other keys are with the archive now, or were taken back with a word. */
    only: (keys: readonly string[]) => {
      for (const [key, release] of [...held]) {
        if (keys.includes(key)) continue;
        held.delete(key);
        drafts.drop(key);
        release();
      }
    },
    leave: () => {
      for (const release of held.values()) release();
      held.clear();
    },
  };
};

const watchHanging = (actor: ViewsetActor, drafts: Drafts): Subscription => {
  const own = draftsOfActor(drafts);
  const run = crypto.randomUUID();
  let known: readonly unknown[] = [];
  return actor.subscribe({
    next: ({ context: { truth, pending } }) => {
      if (pending === known) return;
      known = pending;
      if (!truth || pending.length === 0) return own.only([]);
      const { viewSetUuid: viewsetId, patientId, name, studyUid } = truth;
      const key = `hanging/${viewsetId}/${run}`;
      const place = `/patient/${patientId}/${encodeURIComponent(studyUid)}/${viewsetId}`;
      own.only([key]);
      own.keep({ key, place, what: { kind: 'hanging', name, patientId, viewsetId }, content: { operations: pending } });
    },
    complete: own.leave,
  });
};

const watchLooks = (actor: ViewerActor, drafts: Drafts): Subscription => {
  const own = draftsOfActor(drafts);
  const run = crypto.randomUUID();
  const places = new Map<string, string>();
  let known: unknown = null;
  return actor.subscribe({
    next: ({ context: { room } }) => {
      if (room === known) return;
      known = room;
      const changes = unsavedOf(room);
      const at = new Map<string, Change[]>();
      for (const change of changes) {
        // Where the image was when it was changed; the person may be elsewhere by now.
        const place = places.get(nameOf(change)) ?? placeNow();
        places.set(nameOf(change), place);
        at.set(place, [...(at.get(place) ?? []), change]);
      }
      for (const name of [...places.keys()]) if (!changes.some((one) => nameOf(one) === name)) places.delete(name);
      const keyOf = (place: string) => `looks/${place}/${run}`;
      own.only([...at.keys()].map(keyOf));
      for (const [place, content] of at)
        own.keep({ key: keyOf(place), place, what: { kind: 'looks', name: '' }, content: { changes: content } });
    },
    complete: own.leave,
  });
};

/** Changes of mounts and images are drafts until the archive has them: a session that ends, or a page that goes, does not lose them. */
export const keepChanges = (app: AppActor, drafts: Drafts): void => {
  let viewer: ViewerActor | undefined;
  let viewset: ViewsetActor | undefined;
  app.subscribe((snapshot) => {
    const [newViewer, newViewset] = [selectViewer(snapshot), selectViewsetActor(snapshot)];
    if (newViewer && newViewer !== viewer) watchLooks(newViewer, drafts);
    if (newViewset && newViewset !== viewset) watchHanging(newViewset, drafts);
    [viewer, viewset] = [newViewer, newViewset];
  });
};

/** The archive took a change whose viewer was gone by then: it is no draft any more. */
export const forgetSaved = (drafts: Drafts, saved: Change): void => {
  const isIt = (one: unknown) => {
    const { version: _, ...value } = saved;
    return typeof one === 'object' && one !== null && isSame({ ...one, version: 0 }, { ...value, version: 0 });
  };
  for (const { key, place, what, content } of drafts.offered()) {
    if (what.kind !== 'looks' || typeof content !== 'object' || content === null || !('changes' in content)) continue;
    const changes = Array.isArray(content.changes) ? content.changes : [];
    const left = changes.filter((one) => !isIt(one));
    if (left.length === changes.length) continue;
    if (left.length === 0) drafts.drop(key);
    else drafts.keep({ key, place, what, content: { changes: left } });
  }
};
