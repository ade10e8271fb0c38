import { useTranslation } from 'react-i18next';

const named = ['IO', 'PX', 'DX', 'CR', 'CT', 'XC', 'DOC'] as const;

/** Returns the name of a DICOM modality; unknown codes are returned unchanged. */
export const useModalityName = () => {
  const { t } = useTranslation('modality');
  return (code: string): string => {
    const known = named.find((name) => name === code);
    return known ? t(known) : code;
  };
};

export const ModalityName = ({ code }: { code: string }) => useModalityName()(code);
