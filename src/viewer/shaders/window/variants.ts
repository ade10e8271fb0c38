import type { WindowFunction } from '../../../../dicom/image-model.ts';
import fragment from './window.frag?raw';
import vertex from './window.vert?raw';

export const sampleKinds = ['UNSIGNED', 'SIGNED', 'FLOAT', 'COLOUR'] as const;
export const samplings = ['NEAREST', 'LINEAR', 'CUBIC', 'AREA'] as const;
export const modalities = ['RESCALE', 'LUT'] as const;
export const vois = ['LINEAR', 'LINEAR_EXACT', 'SIGMOID', 'LUT'] as const satisfies readonly (WindowFunction | 'LUT')[];

/** One program of the closed list: what the texture holds, how it is read, and which steps it goes through. */
export interface WindowVariant {
  readonly samples: (typeof sampleKinds)[number];
  readonly sampling: (typeof samplings)[number];
  readonly modality: (typeof modalities)[number];
  readonly voi: (typeof vois)[number];
}

const samplers = { UNSIGNED: 'usampler2D', SIGNED: 'isampler2D', FLOAT: 'sampler2D', COLOUR: 'sampler2D' } as const;

const numbered = (name: string, values: readonly string[], chosen: string) => [
  ...values.map((value, index) => `#define ${name}_${value} ${index}`),
  `#define ${name} ${name}_${chosen}`,
];

export const variantName = (variant: WindowVariant): string =>
  `window-${variant.samples}-${variant.sampling}-${variant.modality}-${variant.voi}`.toLowerCase();

/** GLSL ES 3.00 sources of one variant. */
export const windowSources = (variant: WindowVariant): { readonly vertex: string; readonly fragment: string } => {
  const defines = [
    `#define IMAGE_SAMPLER ${samplers[variant.samples]}`,
    ...numbered('SAMPLES', sampleKinds, variant.samples),
    ...numbered('SAMPLING', samplings, variant.sampling),
    ...numbered('MODALITY', modalities, variant.modality),
    ...numbered('VOI', vois, variant.voi),
  ];
  return {
    vertex: `#version 300 es\n${vertex}`,
    fragment: `#version 300 es\n${defines.join('\n')}\n${fragment}`,
  };
};
