import { structuredDisplayClass } from '../../dicom/display-objects/model.ts';
import { colourStateClass, grayscaleStateClass } from '../../dicom/presentation-state/read-state.ts';

const storage = '1.2.840.10008.5.1.4.1.1.';

/**
 * SOP classes whose objects are images (PS3.4 B.5). Such an object without pixel data is truncated or was exported incorrectly: it is stored and
 * reported as unreadable. Other classes (reports, plans, presentation states, waveforms) have no pixel data by definition.
 */
const imageClasses: ReadonlySet<string> = new Set(
  [
    // Computed and digital radiography, mammography, intra-oral
    '1',
    '1.1',
    '1.1.1',
    '1.2',
    '1.2.1',
    '1.3',
    '1.3.1',
    // CT, MR, ultrasound
    '2',
    '2.1',
    '2.2',
    '4',
    '4.1',
    '4.3',
    '3',
    '3.1',
    '6',
    '6.1',
    '6.2',
    // Secondary capture
    '7',
    '7.1',
    '7.2',
    '7.3',
    '7.4',
    // X-ray angiography, fluoroscopy, three-dimensional, tomosynthesis
    '12.1',
    '12.1.1',
    '12.2',
    '12.2.1',
    '13.1.1',
    '13.1.2',
    '13.1.3',
    '13.1.4',
    '13.1.5',
    // Nuclear medicine, PET, radiotherapy image
    '20',
    '128',
    '130',
    '481.1',
    // Visible light, ophthalmic
    '77.1.1',
    '77.1.2',
    '77.1.3',
    '77.1.4',
    '77.1.5.1',
    '77.1.5.2',
    '77.1.5.4',
    '77.1.6',
  ].map((suffix) => `${storage}${suffix}`),
);

/** Encapsulated PDF Storage. */
export const encapsulatedPdfClass = `${storage}104.1`;

/** Objects that say how images are displayed and are offered with them; they are no images or documents of their own. */
export const presentationStateClasses = [grayscaleStateClass, colourStateClass] as const;

/** Objects that are neither listed nor counted: they say how images are displayed. */
export const displayClasses = [...presentationStateClasses, structuredDisplayClass] as const;

/** Pseudo-Color Softcopy Presentation State Storage: listed as a document, since it cannot be shown. */
export const pseudoColourStateClass = `${storage}11.3`;

export const isImageClass = (sopClassUid: string | null): boolean =>
  sopClassUid !== null && imageClasses.has(sopClassUid);
