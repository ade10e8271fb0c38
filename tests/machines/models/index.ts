import type { AnyStateMachine } from 'xstate';
import { associationMachine } from '../../../server/dimse/association/association.machine.ts';
import { bankIdMachine } from '../../../src/machines/bank-id/bank-id.machine.ts';
import { connectionMachine } from '../../../src/machines/connection/connection.machine.ts';
import { importStudyMachine } from '../../../src/machines/import-study/import-study.machine.ts';
import { importsMachine } from '../../../src/machines/imports/imports.machine.ts';
import { interactionMachine } from '../../../src/machines/interaction/interaction.machine.ts';
import { lockMachine } from '../../../src/machines/lock/lock.machine.ts';
import { patientSearchMachine } from '../../../src/machines/patient-search/patient-search.machine.ts';
import { sessionMachine } from '../../../src/machines/session/session.machine.ts';
import { twoFactorMachine } from '../../../src/machines/two-factor/two-factor.machine.ts';
import { viewerMachine } from '../../../src/machines/viewer/viewer.machine.ts';
import { viewsetMachine } from '../../../src/machines/viewset/viewset.machine.ts';
import type { Model } from '../../paths.ts';
import { app, wholeApp } from './app.ts';
import { association } from './association.ts';
import { order } from './bank-id.ts';
import { connection } from './connection.ts';
import * as study from './import-study.ts';
import * as imports from './imports.ts';
import { interaction } from './interaction.ts';
import { lockedBefore, locking } from './lock.ts';
import { patientSearch } from './patient-search.ts';
import { session } from './session.ts';
import { turningOff, turningOn } from './two-factor.ts';
import * as viewer from './viewer.ts';
import { leaving, mounting } from './viewset.ts';

/** A machine of the product with everything that its paths are made from. Loads in Node: no test runner, no browser. */
export interface Modelled {
  readonly id: string;
  readonly machine: AnyStateMachine;
  readonly models: readonly Model[];
  /** Events that the machine sends to itself: no path begins with them. */
  readonly raised: readonly string[];
  /** Actors that are not replaced when a path is replayed. */
  readonly keep: readonly string[];
  /** Where the chart and its drawing are, from the root of the repository. */
  readonly folder: string;
  /** From the root of the repository. */
  readonly drawing: string;
  /** The tests that walk the models, from the root of the repository. */
  readonly tests: readonly string[];
}

const modelled = (
  machine: AnyStateMachine,
  models: readonly Model[],
  {
    raised = [],
    keep = [],
    tests,
    folder = `src/machines/${machine.id}`,
  }: Partial<Pick<Modelled, 'raised' | 'keep' | 'tests' | 'folder'>> = {},
): Modelled => ({
  id: machine.id,
  machine,
  models,
  raised,
  keep,
  folder,
  drawing: `${folder}/${machine.id}.mmd`,
  tests: tests ?? [`tests/machines/${machine.id}.paths.test.ts`],
});

/** Every machine of the product. */
export const machines: readonly Modelled[] = [
  modelled(wholeApp, [app]),
  modelled(associationMachine, [association], { folder: 'server/dimse/association' }),
  modelled(bankIdMachine, [order]),
  modelled(connectionMachine, [connection]),
  modelled(importStudyMachine, [study.fresh, study.folder, study.restored, study.left, study.clinic], {
    raised: study.raised,
  }),
  modelled(importsMachine, [imports.tray], { raised: imports.raised, keep: ['importStudy'] }),
  modelled(interactionMachine, [interaction]),
  modelled(lockMachine, [locking, lockedBefore]),
  modelled(patientSearchMachine, [patientSearch]),
  modelled(sessionMachine, [session]),
  modelled(twoFactorMachine, [turningOn, turningOff]),
  modelled(viewerMachine, [viewer.activeImage, viewer.displays, viewer.measures, viewer.hiding, viewer.followed], {
    raised: viewer.raised,
  }),
  modelled(viewsetMachine, [mounting, leaving]),
];
