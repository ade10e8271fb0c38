import { expect, it } from 'vitest';
import { setup } from 'xstate';
import { durationOf } from '../duration.ts';
import { chartOf } from './chart.ts';
import { rowsOf } from './drawing-rows.ts';
import { html } from './html.ts';

it.each([
  [1, '1 ms'],
  [300, '300 ms'],
  [1_300, '1.3 s'],
  [1_234, '1234 ms'],
  [60_000, '1 min'],
  [290_000, '4 min 50 s'],
  [86_400_000, '1 d'],
])('writes %i ms as %s', (ms, written) => expect(durationOf(ms)).toBe(written));

it('escapes values in markup once', () => {
  const name = html`<b title="${'"quoted" & <tagged>'}">${'a < b'}</b>`;
  expect(html`<p>${[name, null, false, 2]}</p>`.text).toBe(
    '<p><b title="&quot;quoted&quot; &amp; &lt;tagged&gt;">a &lt; b</b>2</p>',
  );
});

const machine = setup({
  types: { events: {} as { type: 'door.opened'; by: string } | { type: 'door.closed' } },
  guards: {
    known: () => true,
    isAt: (_, __: { by: string; at: string }) => true,
    late: () => false,
  },
  delays: { closingDelay: 2_000, computed: () => 1 },
}).createMachine({
  id: 'door',
  initial: 'shut',
  states: {
    shut: {
      on: {
        'door.opened': [
          { guard: { type: 'isAt', params: ({ event }) => ({ by: event.by, at: 'night' }) }, target: 'open.wide' },
          { guard: 'known', target: 'open' },
          { target: 'shut' },
        ],
        'door.closed': {},
      },
    },
    open: {
      initial: 'ajar',
      after: { closingDelay: 'shut', computed: 'shut', 90000: 'shut' },
      states: { ajar: {}, wide: { type: 'final' } },
      onDone: 'shut',
    },
  },
});

it('writes the transitions of a state as its drawing shows them', () => {
  const [, shut, open] = [chartOf(machine), ...chartOf(machine).states];
  const rowTexts = (state = chartOf(machine)) =>
    rowsOf(state, machine.implementations.delays).map(({ text, target }) => `${text}: ${target}`);
  expect(rowTexts(shut)).toEqual([
    'door.opened [isAt night]: open.wide',
    '  else [known]: open',
    '  else: itself',
    'door.closed: rejected',
  ]);
  expect(rowTexts(open)).toEqual([
    'all children final: shut',
    'after 1 min 30 s: shut',
    'after closingDelay (2 s): shut',
    'after computed: shut',
  ]);
});
