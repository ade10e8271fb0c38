import type { Display } from '../../scene/scene.ts';
import paletteSource from '../palette/palette.glsl?raw';
import grey from './grey.glsl?raw';
import sample from './sample.glsl?raw';
import fragment from './window.frag?raw';
import vertex from './window.vert?raw';

export const sampleKinds = ['UNSIGNED', 'SIGNED', 'FLOAT', 'COLOUR'] as const;
export const samplings = ['NEAREST', 'LINEAR', 'CUBIC', 'AREA', 'PLACED'] as const;
export const outputs = ['SHOWN', 'VALUE'] as const;
export const modalities = ['RESCALE', 'LUT'] as const;
export const vois = ['RAMP', 'STEP', 'SIGMOID', 'LUT'] as const;
export const gammas = ['NONE', 'CURVE'] as const;
export const palettes = ['GREY', 'TABLE'] as const;

/** How texture samples are interpolated. */
export type Sampling = Exclude<(typeof samplings)[number], 'PLACED'>;

/** One program of the closed list: texture content, sampling, output, and pipeline steps. */
export interface WindowVariant {
  readonly samples: (typeof sampleKinds)[number];
  /** PLACED: the texture holds the sampled value of each device pixel of the rectangle. */
  readonly sampling: (typeof samplings)[number];
  /** VALUE: the sampled value itself, for a float texture; the later steps are not used. */
  readonly output: (typeof outputs)[number];
  readonly modality: (typeof modalities)[number];
  readonly voi: (typeof vois)[number];
  readonly gamma: (typeof gammas)[number];
  readonly palette: (typeof palettes)[number];
}

/** Returns the variant that writes sampled values. */
export const valueVariant = (samples: WindowVariant['samples'], sampling: Sampling): WindowVariant => ({
  samples,
  sampling,
  output: 'VALUE',
  modality: 'RESCALE',
  voi: 'RAMP',
  gamma: 'NONE',
  palette: 'GREY',
});

/** Returns the variant that shows a value buffer with the steps of `shown`. */
export const placedVariant = (shown: WindowVariant): WindowVariant => ({
  ...shown,
  samples: 'FLOAT',
  sampling: 'PLACED',
});

/** Whether a palette is applied at the end. */
export const isTable = (palette: Display['palette']): boolean => palette !== 'grey';

/** Value of a value buffer outside the image; everything below `outsideBelow` is outside. */
export const outside = -3e38;
const outsideBelow = '-1.0e38';

const samplers = { UNSIGNED: 'usampler2D', SIGNED: 'isampler2D', FLOAT: 'sampler2D', COLOUR: 'sampler2D' } as const;

const numbered = (name: string, values: readonly string[], chosen: string) => [
  ...values.map((value, index) => `#define ${name}_${value} ${index}`),
  `#define ${name} ${name}_${chosen}`,
];

export const variantName = ({ samples, sampling, output, modality, voi, gamma, palette }: WindowVariant): string =>
  `window-${samples}-${sampling}-${output}-${modality}-${voi}-${gamma}-${palette}`.toLowerCase();

const precisions = ['float', 'int', 'sampler2D', 'usampler2D', 'isampler2D'].map((type) => `precision highp ${type};`);

/** Returns the GLSL ES 3.00 sources of one variant. */
export const windowSources = (variant: WindowVariant): { readonly vertex: string; readonly fragment: string } => {
  const defines = [
    `#define IMAGE_SAMPLER ${samplers[variant.samples]}`,
    `#define Value ${variant.samples === 'COLOUR' ? 'vec3' : 'float'}`,
    `#define OUTSIDE ${outsideBelow}`,
    ...numbered('SAMPLES', sampleKinds, variant.samples),
    ...numbered('SAMPLING', samplings, variant.sampling),
    ...numbered('OUTPUT', outputs, variant.output),
    ...numbered('MODALITY', modalities, variant.modality),
    ...numbered('VOI', vois, variant.voi),
    ...numbered('GAMMA', gammas, variant.gamma),
    ...numbered('PALETTE', palettes, variant.palette),
  ];
  const parts = variant.output === 'VALUE' ? [sample] : [sample, grey, paletteSource];
  return {
    vertex: ['#version 300 es', ...defines, vertex].join('\n'),
    fragment: ['#version 300 es', ...defines, ...precisions, ...parts, fragment].join('\n'),
  };
};
