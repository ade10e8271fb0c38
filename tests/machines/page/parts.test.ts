import { expect, it } from 'vitest';
import { setup } from 'xstate';
import { chartOf } from './chart.ts';
import { durationOf, rowsOf } from './drawing-rows.ts';
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

it('escapes what is put into markup, once', () => {
  const name = html`<b title="${'"quoted" & <tagged>'}">${'a < b'}</b>`;
  expect(html`<p>${[name, null, false, 2]}</p>`.text).toBe(
    '<p><b title="&quot;quoted&quot; &amp; &lt;tagged&gt;">a &lt; b</b>2</p>',
  );
});

const machine = setup({
  types: { events: {} as { type: 'door.opened'; by: string } | { type: 'door.closed' } },
  guards: {
    known: () => true,
    stands: (_, __: { by: string; at: string }) => true,
    late: () => false,
  },
  delays: { patience: 2_000, workedOut: () => 1 },
}).createMachine({
  id: 'door',
  initial: 'shut',
  states: {
    shut: {
      on: {
        'door.opened': [
          { guard: { type: 'stands', params: ({ event }) => ({ by: event.by, at: 'night' }) }, target: 'open.wide' },
          { guard: 'known', target: 'open' },
          { target: 'shut' },
        ],
        'door.closed': {},
      },
    },
    open: {
      initial: 'ajar',
      after: { patience: 'shut', workedOut: 'shut', 90000: 'shut' },
      states: { ajar: {}, wide: { type: 'final' } },
      onDone: 'shut',
    },
  },
});

it('writes what can happen in a state as its drawing shows it', () => {
  const [, shut, open] = [chartOf(machine), ...chartOf(machine).states];
  const written = (state = chartOf(machine)) =>
    rowsOf(state, machine.implementations.delays).map(({ text, leadsTo }) => `${text}: ${leadsTo}`);
  expect(written(shut)).toEqual([
    'door.opened [stands night]: open.wide',
    '  else [known]: open',
    '  else: itself',
    'door.closed: refused',
  ]);
  expect(written(open)).toEqual([
    'all inside done: shut',
    'after 1 min 30 s: shut',
    'after patience (2 s): shut',
    'after workedOut: shut',
  ]);
});
