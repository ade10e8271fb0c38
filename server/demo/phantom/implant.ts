import { clamp } from './curve.ts';
import type { Field } from './field.ts';
import { axesOf, type Placement } from './paint-tooth.ts';
import type { ToothForm } from './tooth-form.ts';

const LENGTH = 11;
const PITCH = 0.8;

/** A threaded titanium fixture with abutment and crown. The neck of the fixture stands at the edge of the bone. */
export const paintImplant = (field: Field, placement: Placement, form: ToothForm, boneLossMm: number): void => {
  const { width, height, mmPerSample, absorption, cover } = field;
  const { sideX, sideY, axisX, axisY } = axesOf(placement);
  const radius = clamp(form.neckWidth * 0.27, 1.6, 2.1);
  const neck = boneLossMm + 0.2;
  const halfAt = (along: number): number => {
    const deep = along - neck;
    if (deep >= 0) {
      const thread = deep < 1.2 ? 0 : 0.26 * Math.abs(((deep / PITCH) % 1) * 2 - 1);
      const taper = 1 - 0.22 * (deep / LENGTH) ** 2;
      const end = clamp((LENGTH - deep) / 0.7, 0, 1);
      return deep > LENGTH ? 0 : (radius * taper - thread) * Math.sqrt(1 - (1 - end) ** 2);
    }
    if (along > -0.2) return radius * 0.78;
    const up = clamp(-along / form.crownHeight, 0, 1);
    if (up >= 1) return 0;
    return (
      (form.crownWidth / 2) *
      (0.55 + 0.42 * Math.sin(Math.min(1, up * 1.5) * (Math.PI / 2))) *
      (1 - 0.5 * clamp((up - 0.8) / 0.2, 0, 1) ** 3)
    );
  };
  for (let row = 0; row < height; row++) {
    const dy = row * mmPerSample - placement.y;
    for (let column = 0; column < width; column++) {
      const dx = column * mmPerSample - placement.x;
      const along = (dx * axisX + dy * axisY) / placement.scale;
      if (along < -form.crownHeight || along > neck + LENGTH) continue;
      const across = (dx * sideX + dy * sideY) / placement.scale;
      const half = halfAt(along);
      const inside = clamp((half - Math.abs(across)) / 0.1 + 0.5, 0, 1);
      if (half === 0 || inside === 0) continue;
      const share = Math.min(1, Math.abs(across) / half);
      const deep = along - neck;
      const hollow = deep > -1 && deep < 5 && Math.abs(across) < 0.75 ? 9 : 0;
      const metal = deep < -1.4 ? 24 : 21 * Math.sqrt(1 - share * share * 0.8) - hollow;
      const at = row * width + column;
      absorption[at] = (absorption[at] ?? 0) + inside * metal;
      if (deep > 0) cover[at] = Math.max(cover[at] ?? 0, inside);
    }
  }
};
