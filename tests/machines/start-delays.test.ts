import { expect, it } from 'vitest';
import { remainingStartDelays } from '../../src/machines/app/start-delays.ts';

it('measures the start-up delays from the time of the page request, and never waits twice', () => {
  expect(remainingStartDelays(0)).toEqual({ minimumWait: 1_300, spinnerDelay: 300 });
  expect(remainingStartDelays(250)).toEqual({ minimumWait: 1_050, spinnerDelay: 50 });
  expect(remainingStartDelays(5_000)).toEqual({ minimumWait: 0, spinnerDelay: 0 });
});
