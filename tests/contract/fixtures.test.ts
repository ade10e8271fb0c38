import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { currentUser, firstAdministrator } from '../../contract/account.ts';
import { displaySave, marksSave } from '../../contract/displays.ts';
import { gradeSave } from '../../contract/grades.ts';
import { hubEvents } from '../../contract/hub.ts';
import { importBegin, importConfirm } from '../../contract/import-calls.ts';
import { importTask } from '../../contract/imports.ts';
import { noteSave } from '../../contract/notes.ts';
import { patient, patientCreate } from '../../contract/patients.ts';
import { problem } from '../../contract/problem.ts';
import { templateCreate, viewsetCreate, viewsetMount } from '../../contract/viewsets.ts';

/** A fixture's name begins with its message: `patient-create.no-name.json`. */
const messages: Readonly<Record<string, z.ZodType | undefined>> = {
  'current-user': currentUser,
  'first-administrator': firstAdministrator.body,
  'grade-save': gradeSave.body,
  'hub-parsed': hubEvents.parsed,
  'hub-progress': hubEvents.progress,
  'import-begin': importBegin.body,
  'import-confirm': importConfirm.body,
  'import-task': importTask,
  patient,
  'patient-create': patientCreate.body,
  problem,
  'display-save': displaySave.body,
  'hub-viewset-changed': hubEvents.ViewsetChanged,
  'marks-save': marksSave.body,
  'note-save': noteSave.body,
  'template-create': templateCreate.body,
  'viewset-create': viewsetCreate.body,
  'viewset-mount': viewsetMount.body,
};

const folder = path.join(import.meta.dirname, '..', '..', 'contract', 'fixtures');
const fixtures = (kind: 'wire' | 'rejected') => readdirSync(path.join(folder, kind)).map((name): [string] => [name]);

const parse = (kind: string, name: string) => {
  const message = messages[name.split('.')[0] ?? ''];
  if (!message) throw new Error(`${name} names no message`);
  return message.safeParse(JSON.parse(readFileSync(path.join(folder, kind, name), 'utf8')));
};

describe('fixtures', () => {
  it.each(fixtures('wire'))('accepts %s', (name) => {
    expect(parse('wire', name).error?.issues ?? []).toEqual([]);
  });
  it.each(fixtures('rejected'))('rejects %s', (name) => {
    expect(parse('rejected', name).success).toBe(false);
  });
});
