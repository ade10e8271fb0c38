import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import { failureOf } from '../../../src/services/failure.ts';
import { isDelay, type Model } from '../../../tests/paths.ts';
import { durationOf } from '../../duration.ts';
import { delayNameOf, millisecondsOf } from '../delays.ts';
import { failureNameOf } from '../texts.ts';
import { app } from './app.ts';
import { association } from './association.ts';
import { bankId } from './bank-id.ts';
import { connection } from './connection.ts';
import { importStudy } from './import-study.ts';
import { imports } from './imports.ts';
import type { Instruction, MachineInstructions } from './instruction.ts';
import { interaction } from './interaction.ts';
import { lock } from './lock.ts';
import { patientSearch } from './patient-search.ts';
import { session } from './session.ts';
import { twoFactor } from './two-factor.ts';
import { viewer } from './viewer.ts';
import { viewset } from './viewset.ts';

/** Instructions by the id of the machine. */
export const instructions: Readonly<Record<string, MachineInstructions>> = {
  app,
  association,
  'bank-id': bankId,
  connection,
  'import-study': importStudy,
  imports,
  interaction,
  lock,
  'patient-search': patientSearch,
  session,
  'two-factor': twoFactor,
  viewer,
  viewset,
};

const delayInstruction = (
  { delays = {} }: MachineInstructions,
  model: Model,
  type: string,
  before: AnyMachineSnapshot,
): Instruction => {
  const wait = `Wait ${durationOf(millisecondsOf(model, type, before))}.`;
  const other = delays[delayNameOf(type)];
  return other ? { ...other, how: `${other.how} ${wait}` } : { how: wait, tool: null };
};

/** Returns how a tester makes an event happen after `before`. Throws when there is no instruction for it. */
export const instructionFor = (model: Model, event: AnyEventObject, before: AnyMachineSnapshot): Instruction => {
  const { id } = model.machine;
  const { type } = event;
  const all = instructions[id];
  if (!all) throw new Error(`There are no instructions for the machine "${id}"`);
  if (isDelay(type)) return delayInstruction(all, model, type, before);
  const [, reply, port] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? [];
  const key = reply ? `${port} ${reply === 'done' ? 'done' : failureNameOf(failureOf(event.error))}` : type;
  const found = (reply ? all.replies : all.events)[key];
  if (!found) throw new Error(`There is no instruction for "${key}" of the machine "${id}"`);
  return typeof found === 'function' ? found((reply ? event.output : event) as never) : found;
};
