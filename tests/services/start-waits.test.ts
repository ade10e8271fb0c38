import { expect, it } from 'vitest';
import { startWaits } from '../../src/wiring/start-waits.ts';

it('counts the waits of the start from when the page was asked for, and never waits twice', () => {
  expect(startWaits(0)).toEqual({ minimumWait: 1_300, spinnerDelay: 300 });
  expect(startWaits(250)).toEqual({ minimumWait: 1_050, spinnerDelay: 50 });
  expect(startWaits(5_000)).toEqual({ minimumWait: 0, spinnerDelay: 0 });
});
