import { expect, it } from 'vitest';
import { createActor, createMachine } from 'xstate';
import { masked, maskedName } from '../../src/inspect/masked.ts';
import { machines } from '../machines/models/index.ts';

const secrets = [
  'Astrid Berg',
  'astrid',
  '19800101-9804',
  '198001019804',
  'astrid.berg@example.com',
  'Storgatan 1',
  'Demo-2026!',
  'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
  '/patient/8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d04?q=berg',
  'otpauth://totp/x',
  '2026-03-12',
  'Åsa',
];

it('shows no text that is not a word of the program, wherever it stands', () => {
  for (const secret of secrets) {
    const shown = JSON.stringify([
      masked(secret),
      masked({ type: 'sign-in.submitted', email: secret, password: secret, nested: [{ deep: { name: secret } }] }),
      masked(new Map([[secret, secret]])),
      masked(new Set([secret])),
      masked(new Error(secret)),
      masked(Object.assign(new Error('x'), { failure: { kind: 'refused', errors: [{ text: secret }] } })),
      masked({ [`${secret} and more`]: 1 }),
    ]);
    expect(shown).not.toContain(secret);
    // Not even how long it is.
    expect(shown).not.toMatch(new RegExp(`\\b${secret.length}\\b`));
  }
});

it('shows no number that may be somebody’s', () => {
  expect(masked(198001019804)).toBe('(number)');
  expect(masked({ percent: 40, at: Date.now() })).toEqual({ percent: 40, at: '(number)' });
});

it('shows words of the program, and the ends of ids', () => {
  const id = '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d04';
  expect(masked({ failure: { kind: 'refused', code: 'no-right', status: 403 }, id, none: null })).toEqual({
    failure: { kind: 'refused', code: 'no-right', status: 403 },
    id: '…7d04',
    none: null,
  });
  expect(maskedName(`xstate.done.actor.${id}`)).toBe('xstate.done.actor.…7d04');
  expect(maskedName('import.Astrid Berg')).toBe('import.?');
});

it('ends on cycles, and takes what is long by its beginning', () => {
  const self: Record<string, unknown> = {};
  self.self = self;
  expect(JSON.stringify(masked(self))).toContain('(deeper)');
  expect(masked(Array.from({ length: 25 }, (_, index) => index))).toHaveLength(21);
});

it('names actors without looking into them', () => {
  const actor = createActor(createMachine({ context: { name: 'Astrid' } }), { id: 'search' });
  expect(masked({ actor })).toEqual({ actor: '(actor search)' });
});

it.each(machines.flatMap(({ id, models }) => models.map((model) => [id, model] as const)))(
  'of everything that %s hears nothing but words of the program is shown',
  (_, model) => {
    const texts = new Set<string>();
    const collect = (value: unknown): void => {
      // What may be somebody's: signs that no word of the program has.
      if (typeof value === 'string' && /[A-ZÅÄÖ@/ ]|\d/.test(value) && !/[a-z]\.[a-z]|-[a-z]/.test(value))
        texts.add(value);
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
    };
    for (const { type: _, ...payload } of model.events) collect(payload);
    const shown = JSON.stringify(model.events.map(({ type: _, ...payload }) => masked(payload)));
    for (const text of texts) expect(shown).not.toContain(JSON.stringify(text));
  },
);
