import type { StandingTooth } from './arch-layout.ts';
import type { Jaw, Lesion } from './bone.ts';
import type { Point } from './curve.ts';
import type { Field } from './field.ts';
import { findingsOf } from './findings.ts';
import { implantCrown, paintImplant } from './implant.ts';
import type { Mouth } from './mouth.ts';
import { axesOf, paintTooth } from './paint-tooth.ts';
import { randomFrom } from './random.ts';
import { formOf } from './tooth-form.ts';
import { shapeOf } from './tooth-shape.ts';

/** Paints a row of teeth with its treatments; returns the edge of the bone that they imply and the lesions at their apices. */
export const paintRow = (
  field: Field,
  row: readonly StandingTooth[],
  mouth: Mouth,
  mesh: number,
): { jaw: Jaw; lesions: readonly Lesion[] } => {
  const lesions: Lesion[] = [];
  const crest: Point[] = [];
  const upper = row[0]?.placement.upper ?? true;
  for (const { tooth, placement } of row) {
    const state = mouth.teeth.get(tooth);
    const form = formOf(tooth);
    const axes = axesOf(placement);
    const at = (across: number, along: number): Point => [
      placement.x + (axes.sideX * across + axes.axisX * along) * placement.scale,
      placement.y + (axes.sideY * across + axes.axisY * along) * placement.scale,
    ];
    const local = randomFrom('crest', mouth.seed, tooth);
    const gap = state?.presence === 'missing' ? 2.2 : 0;
    const loss = mouth.boneLossMm * local.between(0.8, 1.3) + gap;
    crest.push(
      at(-form.crownWidth * 0.5, loss),
      at(0, loss + 0.7 + gap * 0.4),
      at(form.crownWidth * 0.5, loss * local.between(0.95, 1.25)),
    );
    if (state === undefined || state.presence === 'missing') continue;
    const shape = shapeOf(form, randomFrom('shape', state.shape), mouth.wear, mouth.pulp);
    if (state.presence === 'implant') {
      paintImplant(field, placement, form, loss);
      paintTooth(field, shape, placement, [implantCrown(shape)]);
      continue;
    }
    paintTooth(field, shape, placement, findingsOf(shape, state));
    const sick = shape.roots[0];
    if (state.apicalLesionMm > 0 && sick !== undefined) {
      const end = Math.floor((sick.length + 13) * 16) - 2;
      const [x, y] = at(
        (sick.centre[end] ?? 0) + placement.skew * sick.length,
        sick.length + state.apicalLesionMm * 0.35,
      );
      lesions.push({ x, y, radius: state.apicalLesionMm * placement.scale });
    }
  }
  // Neighbours share one edge between them: their two points become one.
  const points: Point[] = [];
  for (const point of crest.sort((one, other) => one[0] - other[0])) {
    const last = points[points.length - 1];
    if (last !== undefined && point[0] - last[0] < 1.8)
      points[points.length - 1] = [(point[0] + last[0]) / 2, (point[1] + last[1]) / 2];
    else points.push(point);
  }
  return { jaw: { upper, crest: points, mesh }, lesions };
};
