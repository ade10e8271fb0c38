/** Value representations that the writer knows (DICOM PS3.5 table 6.2-1). */
export type Vr =
  | 'AE'
  | 'AS'
  | 'AT'
  | 'CS'
  | 'DA'
  | 'DS'
  | 'DT'
  | 'FD'
  | 'FL'
  | 'IS'
  | 'LO'
  | 'LT'
  | 'OB'
  | 'OW'
  | 'PN'
  | 'SH'
  | 'SL'
  | 'SQ'
  | 'SS'
  | 'ST'
  | 'TM'
  | 'UC'
  | 'UI'
  | 'UL'
  | 'UR'
  | 'US'
  | 'UT';

/**
 * The elements that this program writes: keyword -> [group << 16 | element, VR] (DICOM PS3.6 chapter 6).
 * PixelData is OW; the writer uses OB for bytes and for encapsulated pixels.
 */
export const TAGS = {
  FileSetID: [0x00041130, 'CS'],
  OffsetOfTheFirstDirectoryRecordOfTheRootDirectoryEntity: [0x00041200, 'UL'],
  OffsetOfTheLastDirectoryRecordOfTheRootDirectoryEntity: [0x00041202, 'UL'],
  FileSetConsistencyFlag: [0x00041212, 'US'],
  DirectoryRecordSequence: [0x00041220, 'SQ'],
  OffsetOfTheNextDirectoryRecord: [0x00041400, 'UL'],
  RecordInUseFlag: [0x00041410, 'US'],
  OffsetOfReferencedLowerLevelDirectoryEntity: [0x00041420, 'UL'],
  DirectoryRecordType: [0x00041430, 'CS'],
  ReferencedFileID: [0x00041500, 'CS'],
  ReferencedSOPClassUIDInFile: [0x00041510, 'UI'],
  ReferencedSOPInstanceUIDInFile: [0x00041511, 'UI'],
  ReferencedTransferSyntaxUIDInFile: [0x00041512, 'UI'],
  SpecificCharacterSet: [0x00080005, 'CS'],
  ImageType: [0x00080008, 'CS'],
  InstanceCreationDate: [0x00080012, 'DA'],
  InstanceCreationTime: [0x00080013, 'TM'],
  SOPClassUID: [0x00080016, 'UI'],
  SOPInstanceUID: [0x00080018, 'UI'],
  StudyDate: [0x00080020, 'DA'],
  SeriesDate: [0x00080021, 'DA'],
  AcquisitionDate: [0x00080022, 'DA'],
  ContentDate: [0x00080023, 'DA'],
  AcquisitionDateTime: [0x0008002a, 'DT'],
  StudyTime: [0x00080030, 'TM'],
  SeriesTime: [0x00080031, 'TM'],
  AcquisitionTime: [0x00080032, 'TM'],
  ContentTime: [0x00080033, 'TM'],
  AccessionNumber: [0x00080050, 'SH'],
  Modality: [0x00080060, 'CS'],
  ConversionType: [0x00080064, 'CS'],
  PresentationIntentType: [0x00080068, 'CS'],
  Manufacturer: [0x00080070, 'LO'],
  InstitutionName: [0x00080080, 'LO'],
  InstitutionAddress: [0x00080081, 'ST'],
  ReferringPhysicianName: [0x00080090, 'PN'],
  CodeValue: [0x00080100, 'SH'],
  CodingSchemeDesignator: [0x00080102, 'SH'],
  CodingSchemeVersion: [0x00080103, 'SH'],
  CodeMeaning: [0x00080104, 'LO'],
  StationName: [0x00081010, 'SH'],
  StudyDescription: [0x00081030, 'LO'],
  SeriesDescription: [0x0008103e, 'LO'],
  OperatorsName: [0x00081070, 'PN'],
  ManufacturerModelName: [0x00081090, 'LO'],
  ReferencedSOPClassUID: [0x00081150, 'UI'],
  ReferencedSOPInstanceUID: [0x00081155, 'UI'],
  SourceImageSequence: [0x00082112, 'SQ'],
  DerivationDescription: [0x00082111, 'ST'],
  AnatomicRegionSequence: [0x00082218, 'SQ'],
  AnatomicRegionModifierSequence: [0x00082220, 'SQ'],
  PrimaryAnatomicStructureSequence: [0x00082228, 'SQ'],
  PatientName: [0x00100010, 'PN'],
  PatientID: [0x00100020, 'LO'],
  IssuerOfPatientID: [0x00100021, 'LO'],
  PatientBirthDate: [0x00100030, 'DA'],
  PatientSex: [0x00100040, 'CS'],
  OtherPatientIDs: [0x00101000, 'LO'],
  PatientAge: [0x00101010, 'AS'],
  PatientComments: [0x00104000, 'LT'],
  PatientIdentityRemoved: [0x00120062, 'CS'],
  DeidentificationMethod: [0x00120063, 'LO'],
  DeidentificationMethodCodeSequence: [0x00120064, 'SQ'],
  BodyPartExamined: [0x00180015, 'CS'],
  SliceThickness: [0x00180050, 'DS'],
  KVP: [0x00180060, 'DS'],
  DataCollectionDiameter: [0x00180090, 'DS'],
  DeviceSerialNumber: [0x00181000, 'LO'],
  PlateID: [0x00181004, 'LO'],
  SoftwareVersions: [0x00181020, 'LO'],
  FrameTime: [0x00181063, 'DS'],
  DistanceSourceToDetector: [0x00181110, 'DS'],
  DistanceSourceToPatient: [0x00181111, 'DS'],
  GantryDetectorTilt: [0x00181120, 'DS'],
  IrradiationEventUID: [0x00083010, 'UI'],
  ExposureTime: [0x00181150, 'IS'],
  XRayTubeCurrent: [0x00181151, 'IS'],
  Exposure: [0x00181152, 'IS'],
  ImageAndFluoroscopyAreaDoseProduct: [0x0018115e, 'DS'],
  ExposureIndex: [0x00181411, 'DS'],
  TargetExposureIndex: [0x00181412, 'DS'],
  DeviationIndex: [0x00181413, 'DS'],
  XRayTubeCurrentInuA: [0x00188151, 'DS'],
  FrameIncrementPointer: [0x00280009, 'AT'],
  EntranceDoseInmGy: [0x00408302, 'DS'],
  ImagerPixelSpacing: [0x00181164, 'DS'],
  ConvolutionKernel: [0x00181210, 'SH'],
  CollimatorShape: [0x00181700, 'CS'],
  PatientPosition: [0x00185100, 'CS'],
  ViewPosition: [0x00185101, 'CS'],
  Sensitivity: [0x00186000, 'DS'],
  DetectorConditionsNominalFlag: [0x00187000, 'CS'],
  DetectorTemperature: [0x00187001, 'DS'],
  DetectorType: [0x00187004, 'CS'],
  DetectorDescription: [0x00187006, 'LT'],
  DetectorID: [0x0018700a, 'SH'],
  DetectorActiveShape: [0x00187024, 'CS'],
  DetectorActiveDimensions: [0x00187026, 'DS'],
  PositionerType: [0x00181508, 'CS'],
  StudyInstanceUID: [0x0020000d, 'UI'],
  SeriesInstanceUID: [0x0020000e, 'UI'],
  StudyID: [0x00200010, 'SH'],
  SeriesNumber: [0x00200011, 'IS'],
  AcquisitionNumber: [0x00200012, 'IS'],
  InstanceNumber: [0x00200013, 'IS'],
  PatientOrientation: [0x00200020, 'CS'],
  ImagePositionPatient: [0x00200032, 'DS'],
  ImageOrientationPatient: [0x00200037, 'DS'],
  FrameOfReferenceUID: [0x00200052, 'UI'],
  Laterality: [0x00200060, 'CS'],
  ImageLaterality: [0x00200062, 'CS'],
  PositionReferenceIndicator: [0x00201040, 'LO'],
  SliceLocation: [0x00201041, 'DS'],
  ImageComments: [0x00204000, 'LT'],
  SamplesPerPixel: [0x00280002, 'US'],
  PhotometricInterpretation: [0x00280004, 'CS'],
  PlanarConfiguration: [0x00280006, 'US'],
  NumberOfFrames: [0x00280008, 'IS'],
  Rows: [0x00280010, 'US'],
  Columns: [0x00280011, 'US'],
  PixelSpacing: [0x00280030, 'DS'],
  PixelAspectRatio: [0x00280034, 'IS'],
  BitsAllocated: [0x00280100, 'US'],
  BitsStored: [0x00280101, 'US'],
  HighBit: [0x00280102, 'US'],
  PixelRepresentation: [0x00280103, 'US'],
  SmallestImagePixelValue: [0x00280106, 'US'],
  LargestImagePixelValue: [0x00280107, 'US'],
  PixelPaddingValue: [0x00280120, 'SS'],
  QualityControlImage: [0x00280300, 'CS'],
  BurnedInAnnotation: [0x00280301, 'CS'],
  LongitudinalTemporalInformationModified: [0x00280303, 'CS'],
  PixelSpacingCalibrationType: [0x00280a02, 'CS'],
  PixelIntensityRelationship: [0x00281040, 'CS'],
  PixelIntensityRelationshipSign: [0x00281041, 'SS'],
  WindowCenter: [0x00281050, 'DS'],
  WindowWidth: [0x00281051, 'DS'],
  RescaleIntercept: [0x00281052, 'DS'],
  RescaleSlope: [0x00281053, 'DS'],
  RescaleType: [0x00281054, 'LO'],
  WindowCenterWidthExplanation: [0x00281055, 'LO'],
  VOILUTFunction: [0x00281056, 'CS'],
  ICCProfile: [0x00282000, 'OB'],
  LossyImageCompression: [0x00282110, 'CS'],
  LossyImageCompressionRatio: [0x00282112, 'DS'],
  LossyImageCompressionMethod: [0x00282114, 'CS'],
  AcquisitionContextSequence: [0x00400555, 'SQ'],
  ConceptNameCodeSequence: [0x0040a043, 'SQ'],
  DocumentTitle: [0x00420010, 'ST'],
  EncapsulatedDocument: [0x00420011, 'OB'],
  MIMETypeOfEncapsulatedDocument: [0x00420012, 'LO'],
  EncapsulatedDocumentLength: [0x00420015, 'UL'],
  ViewCodeSequence: [0x00540220, 'SQ'],
  ViewModifierCodeSequence: [0x00540222, 'SQ'],
  PresentationLUTShape: [0x20500020, 'CS'],
  PixelData: [0x7fe00010, 'OW'],
} as const satisfies Record<string, readonly [number, Vr]>;

export type Keyword = keyof typeof TAGS;
