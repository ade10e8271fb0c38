import { z } from 'zod';
import { dateOnly, uuid } from './bounds.ts';
import { galleryImage } from './gallery.ts';
import { gradeReason, gradeReasons } from './grade-summary.ts';
import { needs, route, unless } from './route.ts';

/** Share of acceptable images, in percent, that a clinic should reach. */
export const gradeTarget = 95;
/** Images of a group and period that should be graded. */
export const gradeSampleSize = 100;

/** Intraoral and extraoral images are graded apart. */
export const gradeGroups = ['intraoral', 'extraoral'] as const;
export type GradeGroup = (typeof gradeGroups)[number];

/** `intraoral`: bitewing or periapical, its teeth are not known. */
export const gradedKinds = ['bitewing', 'periapical', 'intraoral', 'panoramic', 'cephalometric', 'other'] as const;
export type GradedKind = (typeof gradedKinds)[number];

/** Days of exposure, both inclusive. */
const period = { from: dateOnly, to: dateOnly };
const count = z.number().int();

/**
 * Images of a clinic to grade, so that 100 of the period are graded: the period is divided into 100 parts with as many images each, and of
 * each part without a graded image one is offered.
 */
export const gradeSample = route({
  method: 'POST',
  path: '/resource/grade/sample',
  body: z.strictObject({ customerId: uuid, group: z.enum(gradeGroups), ...period }),
  access: unless('disable.open'),
  reply: z.object({
    /** Images of the group in the period, and how many of them are graded. */
    images: count,
    graded: count,
    data: z.array(galleryImage),
  }),
});
export type GradeSample = z.infer<typeof gradeSample.reply>;

export const gradeCounts = z.record(gradeReason, count);
const tally = z.object({ acceptable: count, notAcceptable: gradeCounts });
export type GradeTally = z.infer<typeof tally>;

/** The newest grades of the images that a clinic took in a period. Images without a grade and those in the recycle bin are not counted. */
export const gradeReport = route({
  method: 'GET',
  path: '/resource/grade/report/:customerId',
  params: z.object({ customerId: uuid }),
  query: z.object(period),
  access: needs('user.get', 'customer.get'),
  reply: z.object({
    kinds: z.array(tally.extend({ kind: z.enum(gradedKinds) })),
    /** By who took the images, as the files state it; null: not stated. */
    operators: z.array(tally.extend({ operator: z.string().nullable() })),
  }),
});
export type GradeReport = z.infer<typeof gradeReport.reply>;

/** Returns the group of a kind. */
export const gradeGroupOf = (kind: GradedKind): GradeGroup =>
  kind === 'bitewing' || kind === 'periapical' || kind === 'intraoral' ? 'intraoral' : 'extraoral';

/** Returns the number of graded images, and how many of them are not acceptable. */
export const gradedIn = ({ acceptable, notAcceptable }: GradeTally) => {
  const rejected = gradeReasons.reduce((sum, reason) => sum + notAcceptable[reason], 0);
  return { graded: acceptable + rejected, rejected };
};

/** Returns the share of acceptable images in percent, cut to one decimal so that 94.96 does not read 95; null without any image. */
export const acceptableShare = (tally: GradeTally): number | null => {
  const { graded } = gradedIn(tally);
  return graded === 0 ? null : Math.floor((1_000 * tally.acceptable) / graded) / 10;
};

/** Returns the sum of tallies. */
export const sumOfTallies = (tallies: readonly GradeTally[]): GradeTally => ({
  acceptable: tallies.reduce((sum, one) => sum + one.acceptable, 0),
  notAcceptable: Object.fromEntries(
    gradeReasons.map((reason) => [reason, tallies.reduce((sum, one) => sum + one.notAcceptable[reason], 0)]),
  ) as GradeTally['notAcceptable'],
});
