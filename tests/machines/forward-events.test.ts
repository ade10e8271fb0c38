import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { CurrentUser } from '../../contract/account.ts';
import {
  selectConnection,
  selectPatientSearch,
  selectSession,
  selectViewer,
  selectViewsetActor,
} from '../../src/machines/app/app.machine.ts';
import { connectionMachine } from '../../src/machines/connection/connection.machine.ts';
import { sessionMachine } from '../../src/machines/session/session.machine.ts';
import type { Account } from '../../src/machines/session/session.rules.ts';
import type { FoundGrant } from '../../src/machines/session/session.setup.ts';
import type { Change, Outcome } from '../../src/machines/viewer/saving.rules.ts';
import { viewerMachine } from '../../src/machines/viewer/viewer.machine.ts';
import { selectShownViewset, viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import { wholeApp } from './models/app.ts';
import { dark, stageImageOf } from './viewer-fixtures.ts';
import { viewsetOf } from './viewset-fixtures.ts';

const settled = () => new Promise(setImmediate);
const clinic = { id: 'b1f7a1de-5a58-4a58-9b3b-0c8e6d3b3f01', name: 'Solrosen' };

const appOf = (
  permission: readonly string[],
  ownClinic: typeof clinic | null,
  {
    onSave = () => {},
    onSignOut = () => {},
    found = null,
    entered = null,
  }: {
    onSave?: () => void;
    onSignOut?: () => void;
    /** The sign-in that the page finds. */
    found?: FoundGrant | null;
    entered?: string | null;
  } = {},
) => {
  const user = { permission, customerRights: { super_admin: ownClinic === null } } as unknown as CurrentUser;
  const account: Account = { user, permission, clinic: ownClinic, knownClaims: [] };
  const session = sessionMachine.provide({
    actors: {
      restoreSession: fromPromise<FoundGrant | null, void>(async () => found),
      signIn: fromPromise(async () => ({ renewInMs: 60_000 })),
      resolveAccount: fromPromise(async () => account),
      watchSession: fromCallback(() => {}),
      signOut: fromPromise(async () => onSignOut()),
    },
  });
  const connection = connectionMachine.provide({ actors: { listenToHub: fromCallback(() => {}) } });
  const viewer = viewerMachine.provide({
    actors: {
      saveChanges: fromPromise<readonly Outcome[], readonly Change[]>(async ({ input }) => {
        onSave();
        return input.map((change) => ({ change, version: 1 }));
      }),
    },
  });
  const viewset = viewsetMachine.provide({
    actors: {
      openViewset: fromPromise(async () => viewsetOf('v', 1, { slots: { 1: 'a' }, tray: [] })),
      watchViewset: fromCallback(() => {}),
    },
  });
  const app = createActor(wholeApp.provide({ actors: { session, connection, viewer, viewset } }), {
    clock: new SimulatedClock(),
  });
  const places: string[] = [];
  app.on('navigation.requested', ({ path: place }) => places.push(place));
  app.start();
  if (entered) app.send({ type: 'path.entered', path: entered });
  const signIn = async () => {
    await settled();
    selectSession(app.getSnapshot())?.send({
      type: 'sign-in.submitted',
      email: 'a@example.test',
      password: 'x',
      code: null,
    });
    await settled();
    await settled();
  };
  return { app, places, signIn };
};

it('opens the clinic list, the own users or the patient search, depending on the rights', async () => {
  const choosing = appOf(['customer.get'], null);
  await choosing.signIn();
  expect(choosing.places).toEqual(['/customers']);
  const doctor = appOf(['user.get_any'], clinic);
  await doctor.signIn();
  expect(doctor.places).toEqual(['/']);
  const administrator = appOf(['user.get', 'customer.get_itself'], clinic);
  await administrator.signIn();
  expect(administrator.places).toEqual([`/customers/${clinic.id}/employeers`]);
  // The users page would reject these.
  const neither = appOf(['user.get'], clinic);
  await neither.signIn();
  expect(neither.places).toEqual(['/']);
});

it('keeps the path of a reloaded page, and returns from an external sign-in', async () => {
  const rights = ['user.get', 'customer.get_itself'];
  const reloaded = appOf(rights, clinic, { found: { renewInMs: 60_000 } });
  await settled();
  expect(reloaded.places).toEqual(['/']);
  const elsewhere = appOf(rights, clinic, { found: { renewInMs: 60_000 }, entered: '/roles' });
  await settled();
  expect(elsewhere.places).toEqual(['/roles']);
  const back = appOf(rights, clinic, { found: { renewInMs: 60_000, isNew: true } });
  await settled();
  expect(back.places).toEqual([`/customers/${clinic.id}/employeers`]);
});

it('returns to the requested page, unless it is a sign-in page', async () => {
  const { app, places, signIn } = appOf(['user.get_any'], clinic);
  app.send({ type: 'path.entered', path: '/patient/7' });
  app.send({ type: 'path.entered', path: '/authorization/password' });
  await signIn();
  expect(places).toEqual(['/patient/7']);
});

it('forwards search events and the chosen clinic to the actors concerned', async () => {
  const { app, places, signIn } = appOf(['customer.get'], null);
  await signIn();
  selectSession(app.getSnapshot())?.send({ type: 'clinic.chosen', clinic });
  expect(selectPatientSearch(app.getSnapshot())?.getSnapshot().context.clinicId).toBe(clinic.id);
  selectPatientSearch(app.getSnapshot())?.send({ type: 'hit.picked', patientId: '9' });
  expect(places).toEqual(['/customers', '/', '/patient/9']);
});

it("starts and stops the session's actors with each session", async () => {
  const { app, signIn } = appOf(['user.get_any'], clinic);
  for (const _ of [1, 2, 3]) {
    await signIn();
    expect(selectConnection(app.getSnapshot())).toBeDefined();
    selectSession(app.getSnapshot())?.send({ type: 'sign-out.requested' });
    expect(selectConnection(app.getSnapshot())).toBeUndefined();
    await settled();
  }
});

it('sends the last changes before the session ends', async () => {
  const order: string[] = [];
  const { app, signIn } = appOf(['user.get_any'], clinic, {
    onSave: () => order.push('saved'),
    onSignOut: () => order.push('signed out'),
  });
  await signIn();
  const viewer = selectViewer(app.getSnapshot());
  viewer?.send({ type: 'images.shown', images: [stageImageOf('one')] });
  viewer?.send({ type: 'image.loaded', imageUid: 'one', frames: 1 });
  viewer?.send({ type: 'image.opened', imageUid: 'one' });
  viewer?.send({ type: 'display.settled', imageUid: 'one', display: dark, view: 'fit' });
  expect(order).toEqual([]);
  selectSession(app.getSnapshot())?.send({ type: 'sign-out.requested' });
  await settled();
  expect(order).toEqual(['saved', 'signed out']);
});

it('closes the viewset when another clinic is chosen, and refreshes it after a lost connection', async () => {
  const { app, signIn } = appOf(['customer.get'], null);
  await signIn();
  const viewset = selectViewsetActor(app.getSnapshot());
  if (!viewset) throw new Error('No user is signed in');
  viewset.send({ type: 'viewset.opened', viewsetId: 'v' });
  await settled();
  expect(selectShownViewset(viewset.getSnapshot())?.version).toBe(1);
  app.send({ type: 'connection.restored' });
  expect(viewset.getSnapshot().matches({ ready: 'refreshing' })).toBe(true);
  selectSession(app.getSnapshot())?.send({ type: 'clinic.chosen', clinic });
  expect(selectShownViewset(viewset.getSnapshot())).toBeNull();
});
