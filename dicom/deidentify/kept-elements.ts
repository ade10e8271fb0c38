/**
 * The elements that a de-identified image keeps, by tag. None of them has an action in table E.1-1 of PS3.15 (edition of January 2025), apart from `replacedUids`,
 * `emptied` and `datesOfEnhanced`.
 */

/** Text numbers and their largest count. */
export const decimalNumbers: ReadonlyMap<number, readonly ['DS' | 'IS', number]> = new Map<
  number,
  readonly ['DS' | 'IS', number]
>([
  [0x00180050, ['DS', 1]], // Slice Thickness
  [0x00180060, ['DS', 1]], // KVP
  [0x00180080, ['DS', 1]], // Repetition Time
  [0x00180081, ['DS', 1]], // Echo Time
  [0x00180082, ['DS', 1]], // Inversion Time
  [0x00180088, ['DS', 1]], // Spacing Between Slices
  [0x00180090, ['DS', 1]], // Data Collection Diameter
  [0x00180091, ['IS', 1]], // Echo Train Length
  [0x00181100, ['DS', 1]], // Reconstruction Diameter
  [0x00181063, ['DS', 1]], // Frame Time
  [0x00181065, ['DS', 65_536]], // Frame Time Vector
  [0x00181110, ['DS', 1]], // Distance Source to Detector
  [0x00181111, ['DS', 1]], // Distance Source to Patient
  [0x00181114, ['DS', 1]], // Estimated Radiographic Magnification Factor
  [0x00181120, ['DS', 1]], // Gantry/Detector Tilt
  [0x00181149, ['IS', 2]], // Field of View Dimension(s)
  [0x00181150, ['IS', 1]], // Exposure Time
  [0x00181151, ['IS', 1]], // X-Ray Tube Current
  [0x00181152, ['IS', 1]], // Exposure
  [0x00181153, ['IS', 1]], // Exposure in uAs
  [0x0018115e, ['DS', 1]], // Image and Fluoroscopy Area Dose Product
  [0x00181164, ['DS', 2]], // Imager Pixel Spacing
  [0x00181190, ['DS', 2]], // Focal Spot(s)
  [0x00181405, ['IS', 1]], // Relative X-Ray Exposure
  [0x00181411, ['DS', 1]], // Exposure Index
  [0x00181412, ['DS', 1]], // Target Exposure Index
  [0x00181413, ['DS', 1]], // Deviation Index
  [0x00182010, ['DS', 2]], // Nominal Scanned Pixel Spacing
  [0x00186000, ['DS', 1]], // Sensitivity
  [0x00187001, ['DS', 1]], // Detector Temperature
  [0x0018701a, ['DS', 2]], // Detector Binning
  [0x00187020, ['DS', 2]], // Detector Element Physical Size
  [0x00187022, ['DS', 2]], // Detector Element Spacing
  [0x00187026, ['DS', 2]], // Detector Active Dimension(s)
  [0x00188150, ['DS', 1]], // Exposure Time in uS
  [0x00188151, ['DS', 1]], // X-Ray Tube Current in uA
  [0x00200011, ['IS', 1]], // Series Number
  [0x00200012, ['IS', 1]], // Acquisition Number
  [0x00200013, ['IS', 1]], // Instance Number
  [0x00200032, ['DS', 3]], // Image Position (Patient)
  [0x00200037, ['DS', 6]], // Image Orientation (Patient)
  [0x00201041, ['DS', 1]], // Slice Location
  [0x00280008, ['IS', 1]], // Number of Frames
  [0x00280030, ['DS', 2]], // Pixel Spacing
  [0x00280034, ['IS', 2]], // Pixel Aspect Ratio
  [0x00281050, ['DS', 8]], // Window Center
  [0x00281051, ['DS', 8]], // Window Width
  [0x00281052, ['DS', 1]], // Rescale Intercept
  [0x00281053, ['DS', 1]], // Rescale Slope
  [0x00282112, ['DS', 4]], // Lossy Image Compression Ratio
  [0x00408302, ['DS', 1]], // Entrance Dose in mGy
]);

/** Binary numbers, the VRs that a file may give them (the first where it gives none), and their largest count. */
export const binaryNumbers: ReadonlyMap<number, readonly [readonly string[], number]> = new Map<
  number,
  readonly [readonly string[], number]
>([
  [0x00209057, [['UL'], 1]], // In-Stack Position Number
  [0x00209128, [['UL'], 1]], // Temporal Position Index
  [0x00209157, [['UL'], 8]], // Dimension Index Values
  [0x00209165, [['AT'], 1]], // Dimension Index Pointer
  [0x00209167, [['AT'], 1]], // Functional Group Pointer
  [0x00280002, [['US'], 1]], // Samples per Pixel
  [0x00280006, [['US'], 1]], // Planar Configuration
  [0x00280009, [['AT'], 4]], // Frame Increment Pointer
  [0x00280010, [['US'], 1]], // Rows
  [0x00280011, [['US'], 1]], // Columns
  [0x00280100, [['US'], 1]], // Bits Allocated
  [0x00280101, [['US'], 1]], // Bits Stored
  [0x00280102, [['US'], 1]], // High Bit
  [0x00280103, [['US'], 1]], // Pixel Representation
  [0x00280106, [['US', 'SS'], 1]], // Smallest Image Pixel Value
  [0x00280107, [['US', 'SS'], 1]], // Largest Image Pixel Value
  [0x00280120, [['US', 'SS'], 1]], // Pixel Padding Value
  [0x00280121, [['US', 'SS'], 1]], // Pixel Padding Range Limit
  [0x00281041, [['SS'], 1]], // Pixel Intensity Relationship Sign
  [0x00281101, [['US', 'SS'], 3]], // Red Palette Color Lookup Table Descriptor
  [0x00281102, [['US', 'SS'], 3]], // Green
  [0x00281103, [['US', 'SS'], 3]], // Blue
  [0x00283002, [['US', 'SS'], 3]], // LUT Descriptor
]);

/** Lookup tables, their VRs and descriptors: at most 65,536 entries of 16 bits. */
export const lookupTables: ReadonlyMap<number, readonly [readonly string[], number]> = new Map<
  number,
  readonly [readonly string[], number]
>([
  [0x00281201, [['OW'], 0x00281101]], // Red Palette Color Lookup Table Data
  [0x00281202, [['OW'], 0x00281102]], // Green
  [0x00281203, [['OW'], 0x00281103]], // Blue
  [0x00281221, [['OW'], 0x00281101]], // Segmented Red Palette Color Lookup Table Data
  [0x00281222, [['OW'], 0x00281102]], // Segmented Green
  [0x00281223, [['OW'], 0x00281103]], // Segmented Blue
  [0x00283006, [['OW', 'US', 'SS'], 0x00283002]], // LUT Data
]);
export const maxLookupTableBytes = 2 ** 17;

const split = (text: string) => text.split(', ');

const yesNo = split('YES, NO');
const shapes = split('RECTANGLE, ROUND, CIRCULAR, POLYGONAL, ROUNDRECTANGLE, HEXAGONAL');
const sides = split('L, R, B, U');
/** Directions of a row or column, such as AF (PS3.3 C.7.6.1.1.1). */
const axes = split('A, P, L, R, H, F');
const directions = axes.flatMap((one) => [one, ...axes.map((other) => one + other)]);
const imageTypes = split(
  'ORIGINAL, DERIVED, PRIMARY, SECONDARY, AXIAL, LOCALIZER, OTHER, MIXED, VOLUME, NONE, REFORMATTED, MPR, ' +
    'PANORAMIC, CEPHALOMETRIC, INTRAORAL, BITEWING, PERIAPICAL, OCCLUSAL, PROJECTION IMAGE',
);
const pixelRelationships = split('LIN, LOG, DISP');
const unitsOfValues = split('HU, US, OD, MGML, Z_EFF, ED, EDW, HU_MOD, PCT');

/** Words of a closed list. A value that is not in it is removed; VR CS unless in `longStrings`. */
export const words: ReadonlyMap<number, readonly string[]> = new Map<number, readonly string[]>([
  [0x00080008, imageTypes], // Image Type
  [0x00080060, split('IO, PX, DX, CR, CT, XC, OT, SC, RG, MR, US, ES, GM, SM, RF, XA, OP, PT, NM, MG, HC')],
  [0x00080064, split('DV, DI, DF, WSD, SD, SI, DRW, SYN')], // Conversion Type
  [0x00080068, split('FOR PRESENTATION, FOR PROCESSING')], // Presentation Intent Type
  [0x00089007, imageTypes], // Frame Type
  [0x00089205, split('MONOCHROME, COLOR, MIXED, TRUE_COLOR')], // Pixel Presentation
  [0x00089206, split('VOLUME, SAMPLED, DISTORTED, MIXED')], // Volumetric Properties
  [0x00089207, split('NONE, MPR, CURVED_MPR, MAX_IP, MIN_IP, VOLUME_RENDER, SURFACE_RENDER, MIXED')],
  [
    0x00180015,
    split('JAW, JAWREGION, MAXILLA, MANDIBLE, TOOTH, TEETH, DENTAL, HEAD, SKULL, FACE, TMJ, TMJOINT, HAND, NECK'),
  ],
  [0x00180020, split('SE, IR, GR, EP, RM')], // Scanning Sequence
  [0x00180021, split('SK, MTC, SS, TRSS, SP, MP, OSP, TOF, NONE')], // Sequence Variant
  [0x00180022, split('PER, RG, CG, PPG, FC, PFF, PFP, SP, FS')], // Scan Options
  [0x00180023, split('2D, 3D')], // MR Acquisition Type
  [0x00181147, shapes], // Field of View Shape
  [0x00181508, split('CARM, COLUMN, MAMMOGRAPHIC, PANORAMIC, CEPHALOSTAT, RIGID, NONE')], // Positioner Type
  [0x00181700, shapes], // Collimator Shape
  [0x00185100, split('HFP, HFS, HFDR, HFDL, FFDR, FFDL, FFP, FFS, LFP, LFS, RFP, RFS, AFDR, AFDL, PFDR, PFDL')],
  [0x00185101, split('AP, PA, LL, RL, RLD, LLD, RLO, LLO')], // View Position
  [0x00187000, yesNo], // Detector Conditions Nominal Flag
  [0x00187004, split('DIRECT, SCINTILLATOR, STORAGE, FILM')], // Detector Type
  [0x00187005, split('CASSETTELESS, TABLE, VERTICAL, UNATTACHED, BUILTIN')], // Detector Configuration
  [0x00187024, shapes], // Detector Active Shape
  [0x00187060, split('MANUAL, AUTOMATIC')], // Exposure Control Mode
  [0x00200020, directions], // Patient Orientation
  [0x00200060, sides], // Laterality
  [0x00200062, sides], // Image Laterality
  [0x00209072, sides], // Frame Laterality
  [0x00209311, split('3D, 3D_TEMPORAL, TILED_FULL, TILED_SPARSE')], // Dimension Organization Type
  [
    0x00280004,
    split('MONOCHROME1, MONOCHROME2, PALETTE COLOR, RGB, YBR_FULL, YBR_FULL_422, YBR_PARTIAL_420, YBR_ICT, YBR_RCT'),
  ],
  [0x00280300, split('YES, NO, BOTH')], // Quality Control Image
  [0x00280301, yesNo], // Burned In Annotation
  [0x00280302, yesNo], // Recognizable Visual Features
  [0x00280a02, split('GEOMETRY, FIDUCIAL')], // Pixel Spacing Calibration Type
  [0x00281040, pixelRelationships], // Pixel Intensity Relationship
  [0x00281054, unitsOfValues], // Rescale Type
  [0x00281056, split('LINEAR, LINEAR_EXACT, SIGMOID')], // VOI LUT Function
  [0x00282002, split('SRGB, ADOBERGB, ROMMRGB')], // Color Space
  [0x00282110, split('00, 01')], // Lossy Image Compression
  [0x00282114, split('ISO_10918_1, ISO_14495_1, ISO_15444_1, ISO_15444_15, ISO_13818_2')], // Lossy Image Compression Method
  [0x00283004, unitsOfValues], // Modality LUT Type
  [0x20500020, split('IDENTITY, INVERSE')], // Presentation LUT Shape
]);
/** Words of type 2 or 2C: a value that is not in its list is emptied. */
export const wordsOrEmpty: ReadonlySet<number> = new Set([
  0x00180015, // Body Part Examined
  0x00180022, // Scan Options
  0x00185100, // Patient Position
  0x00185101, // View Position
  0x00200020, // Patient Orientation
  0x00200060, // Laterality
]);
export const longStrings: ReadonlySet<number> = new Set([0x00281054, 0x00283004]);

/** Sequences whose items are treated like the data set. */
export const sequences: ReadonlySet<number> = new Set([
  0x00189329, // CT Image Frame Type
  0x00209071, // Frame Anatomy
  0x00209111, // Frame Content
  0x00209113, // Plane Position
  0x00209116, // Plane Orientation
  0x00209221, // Dimension Organization
  0x00209222, // Dimension Index
  0x00283000, // Modality LUT
  0x00283010, // VOI LUT
  0x00289110, // Pixel Measures
  0x00289132, // Frame VOI LUT
  0x00289145, // Pixel Value Transformation
  0x52009229, // Shared Functional Groups
  0x52009230, // Per-Frame Functional Groups
]);

/** Action U. */
export const replacedUids: ReadonlySet<number> = new Set([
  0x00080018, // SOP Instance UID
  0x0020000d, // Study Instance UID
  0x0020000e, // Series Instance UID
  0x00200052, // Frame of Reference UID
  0x00209164, // Dimension Organization UID
  0x00281199, // Palette Color Lookup Table UID
]);

/** Action Z, or X/Z: without value if the file has them. The last two have no action, but hold free text. */
export const emptied: ReadonlyMap<number, string> = new Map<number, string>([
  [0x00080020, 'DA'], // Study Date
  [0x00080022, 'DA'], // Acquisition Date
  [0x00080023, 'DA'], // Content Date
  [0x00080030, 'TM'], // Study Time
  [0x00080032, 'TM'], // Acquisition Time
  [0x00080033, 'TM'], // Content Time
  [0x00080050, 'SH'], // Accession Number
  [0x00080090, 'PN'], // Referring Physician's Name
  [0x00200010, 'SH'], // Study ID
  [0x00400555, 'SQ'], // Acquisition Context Sequence
  [0x00080070, 'LO'], // Manufacturer
  [0x00201040, 'LO'], // Position Reference Indicator
]);

/** Action Z/D, X/Z/D or D: enhanced objects require a value, which is this one. */
export const datesOfEnhanced: ReadonlyMap<number, readonly [string, string]> = new Map<
  number,
  readonly [string, string]
>([
  [0x00080023, ['DA', '19000101']], // Content Date
  [0x0008002a, ['DT', '19000101000000']], // Acquisition DateTime
  [0x00080033, ['TM', '000000']], // Content Time
  [0x00189074, ['DT', '19000101000000']], // Frame Acquisition DateTime
  [0x00189151, ['DT', '19000101000000']], // Frame Reference DateTime
]);
