import { clamp, mix, smoothStep } from './curve.ts';
import type { Field } from './field.ts';
import type { Finding } from './findings.ts';
import { axesOf, type Placement } from './paint-tooth.ts';
import type { ToothForm } from './tooth-form.ts';
import { ROWS_PER_MM, TABLE_ABOVE_MM, type ToothShape } from './tooth-shape.ts';

const LENGTH = 11;
const PITCH = 0.8;

/** Where the crown ends and the abutment begins, mm above the neck. */
const CROWN_END = 0.3;

const radiusOf = (form: ToothForm): number => clamp(form.neckWidth * 0.27, 1.6, 2.1);

/**
 * Makes a painted tooth into the crown on an implant: nothing below the crown, a profile that widens from the abutment to the
 * contact points, ceramic over a metal frame.
 */
export const implantCrown =
  (shape: ToothShape): Finding =>
  (sample) => {
    const up = -sample.along - CROWN_END;
    const full = shape.crownHalf[Math.round((sample.along + TABLE_ABOVE_MM) * ROWS_PER_MM)] ?? 0;
    const half = mix(radiusOf(shape.form) * 0.95, full, smoothStep(-0.4, 3.2, up));
    const inside = clamp((half - Math.abs(sample.across)) / 0.1 + 0.5, 0, 1) * clamp(up / 0.1 + 0.5, 0, 1);
    sample.absorption = inside * (sample.outer * 2.3 + 26 * clamp(sample.core / 2.2, 0, 1));
  };

/** A threaded titanium fixture with its abutment. The neck of the fixture stands at the edge of the bone. */
export const paintImplant = (field: Field, placement: Placement, form: ToothForm, boneLossMm: number): void => {
  const { width, height, mmPerSample, absorption, cover } = field;
  const { sideX, sideY, axisX, axisY } = axesOf(placement);
  const radius = radiusOf(form);
  const neck = boneLossMm + 0.2;
  const halfAt = (along: number): number => {
    const deep = along - neck;
    if (deep < 0) return radius * mix(0.78, 0.92, smoothStep(-1.2, 0, deep));
    const thread = deep < 1.2 ? 0 : 0.26 * Math.abs(((deep / PITCH) % 1) * 2 - 1);
    const taper = 1 - 0.22 * (deep / LENGTH) ** 2;
    const end = clamp((LENGTH - deep) / 0.7, 0, 1);
    return deep > LENGTH ? 0 : (radius * taper - thread) * Math.sqrt(1 - (1 - end) ** 2);
  };
  for (let row = 0; row < height; row++) {
    const dy = row * mmPerSample - placement.y;
    for (let column = 0; column < width; column++) {
      const dx = column * mmPerSample - placement.x;
      const along = (dx * axisX + dy * axisY) / placement.scale;
      if (along < -3.2 || along > neck + LENGTH) continue;
      const across = (dx * sideX + dy * sideY) / placement.scale;
      const half = halfAt(along);
      const inside = clamp((half - Math.abs(across)) / 0.1 + 0.5, 0, 1);
      if (half === 0 || inside === 0) continue;
      const share = Math.min(1, Math.abs(across) / half);
      const deep = along - neck;
      const hollow =
        8 * smoothStep(5, 4.6, deep) * smoothStep(0.85, 0.65, Math.abs(across)) * smoothStep(-1.2, -0.8, deep);
      const metal = 21 * Math.sqrt(1 - share * share * 0.8) - hollow;
      const at = row * width + column;
      absorption[at] = (absorption[at] ?? 0) + inside * metal;
      if (deep > 0) cover[at] = Math.max(cover[at] ?? 0, inside);
    }
  }
};
