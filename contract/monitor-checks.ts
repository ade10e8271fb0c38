import { z } from 'zod';
import { bounded, dateOnly, moment, page, paged, reference, uuid } from './bounds.ts';
import { route, unless } from './route.ts';

/** Questions about the test pattern, in the order of the page. Each answer is true when the user sees what the question asks for. */
export const monitorQuestions = ['lines', 'squares', 'patches', 'ramp', 'letters'] as const;
export type MonitorQuestion = (typeof monitorQuestions)[number];

/** Characters of a comment. */
export const maxMonitorComment = 500;

/** Whether the user sees what each question asks for. */
export const monitorAnswers = z.record(z.enum(monitorQuestions), z.boolean());

const fields = {
  /** Name of the computer and its monitor, as the user gave it. */
  workstation: bounded('workstation'),
  /** Day of the check in the time zone of the browser. */
  day: dateOnly,
  answers: monitorAnswers,
  comment: z.string().trim().max(maxMonitorComment),
  /** Size of the pattern in device pixels, and device pixels for each CSS pixel. */
  widthPx: z.number().int().min(1).max(32_768),
  heightPx: z.number().int().min(1).max(32_768),
  pixelRatio: z.number().min(0.1).max(20),
};

/** A saved check of a monitor. It never changes. */
export const monitorCheck = z.object({
  ...fields,
  id: z.string(),
  workstation: z.string(),
  comment: z.string(),
  /** The user who answered, with the name at that time. */
  author: reference,
  savedAt: moment,
});
export type MonitorCheck = z.infer<typeof monitorCheck>;

/** Checks of the monitors of a clinic, newest first. `workstation`: only those of this workstation. */
export const monitorCheckList = route({
  method: 'GET',
  path: '/resource/monitor-check/:customerId',
  params: z.object({ customerId: uuid }),
  query: page.extend({ workstation: bounded('workstation').optional() }),
  access: unless('disable.open'),
  reply: paged(monitorCheck),
});

/** Saves the answers of a user. Fails with `invalid-request` when `day` is more than a day from that of the server. */
export const monitorCheckAdd = route({
  method: 'POST',
  path: '/resource/monitor-check',
  body: z.strictObject({ ...fields, customerId: uuid }),
  access: unless('disable.open'),
  reply: monitorCheck,
});
