import { z } from 'zod';
import { bounds, moment, page, uuid } from './bounds.ts';
import { listed } from './lists.ts';
import { patient } from './patients.ts';
import { route, signedIn } from './route.ts';

/** `today`: images imported today. `opened`: opened last by the caller. `waiting`: recent images on which work remains. */
export const dayListKinds = ['today', 'opened', 'waiting'] as const;
export type DayListKind = (typeof dayListKinds)[number];

/**
 * Why an image waits. `unopened`: opened by no user since its import. `unmounted`: intraoral, in no mount. `withoutTeeth`: intraoral, no tooth
 * assigned.
 */
export const waitingReasons = ['unopened', 'unmounted', 'withoutTeeth'] as const;
export type WaitingReason = (typeof waitingReasons)[number];

/** Only images imported within this many days wait, so that an archive moved from another system does not. */
export const waitingDays = 30;
/** Length of the list `opened`. */
export const openedLimit = 20;

const count = z.number().int();

export const dayPatient = patient.extend({
  /** `opened`: when the caller opened the patient; otherwise when the newest image of the list was imported. */
  at: moment,
  /** Images of the list, and how many of them wait for each reason; null in `opened`. */
  images: z.object({ total: count, unopened: count, unmounted: count, withoutTeeth: count }).nullable(),
});
export type DayPatient = z.infer<typeof dayPatient>;

/**
 * Patients of a clinic for the day's work, latest first. Days are those of Europe/Stockholm. `q`: every word is a prefix of a word of the
 * name, or part of the personal number. `reason`: only patients with an image that waits for it; only in `waiting`.
 */
export const dayListGet = route({
  method: 'POST',
  path: '/resource/patient/day-list',
  body: page.extend({
    customerId: uuid,
    list: z.enum(dayListKinds),
    reason: z.enum(waitingReasons).optional(),
    q: z.string().trim().max(bounds.query[1]).optional(),
  }),
  access: signedIn,
  reply: listed(dayPatient),
});
