import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { appMachine } from '../../src/machines/app/app.machine.ts';
import { bankIdMachine } from '../../src/machines/bank-id/bank-id.machine.ts';
import { connectionMachine } from '../../src/machines/connection/connection.machine.ts';
import { importStudyMachine } from '../../src/machines/import-study/import-study.machine.ts';
import { importsMachine } from '../../src/machines/imports/imports.machine.ts';
import { patientSearchMachine } from '../../src/machines/patient-search/patient-search.machine.ts';
import { sessionMachine } from '../../src/machines/session/session.machine.ts';
import { twoFactorMachine } from '../../src/machines/two-factor/two-factor.machine.ts';
import { viewerMachine } from '../../src/machines/viewer/viewer.machine.ts';
import { viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import { drawingOf } from './drawing.ts';

const machines = [
  appMachine,
  bankIdMachine,
  connectionMachine,
  importStudyMachine,
  importsMachine,
  patientSearchMachine,
  sessionMachine,
  twoFactorMachine,
  viewerMachine,
  viewsetMachine,
];

/** A change of behaviour shows as a change of picture. UPDATE_DRAWINGS=1 draws anew. */
it.each(machines.map((machine) => [machine.id, machine] as const))('has the drawing of %s', (id, machine) => {
  const file = path.join(import.meta.dirname, '..', '..', 'src', 'machines', id, `${id}.mmd`);
  const drawing = drawingOf(machine);
  if (process.env.UPDATE_DRAWINGS === '1') writeFileSync(file, drawing);
  expect(readFileSync(file, 'utf8')).toBe(drawing);
});
