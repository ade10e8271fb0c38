import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PersonFace } from '../parts/person-face.tsx';
import classes from './people.module.css';

/** What becomes of a picture when the form is saved. */
export type PictureChange = File | 'none' | null;

interface PictureFieldProps {
  readonly name: string;
  /** Address of the picture that the archive has. */
  readonly saved: string | null;
  readonly change: PictureChange;
  readonly onChange: (change: PictureChange) => void;
}

/** An address for a file of this computer, for as long as it is shown. */
const usePreview = (file: File | null): string | null => {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return setAddress(null);
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
};

/** The picture of a person: as it will be once the form is saved. */
export const PictureField = ({ name, saved, change, onChange }: PictureFieldProps) => {
  const { t } = useTranslation('people');
  const input = useRef<HTMLInputElement>(null);
  const preview = usePreview(change instanceof File ? change : null);
  const shown = change === null ? saved : preview;
  return (
    <div className={classes.picture}>
      <PersonFace name={name} picture={shown} large />
      <div className={classes.pictureWays}>
        <div className={classes.pictureButtons}>
          <Button variant="default" size="compact-sm" onClick={() => input.current?.click()}>
            {t('choosePicture')}
          </Button>
          {shown && (
            <Button variant="default" size="compact-sm" onClick={() => onChange(saved ? 'none' : null)}>
              {t('removePicture')}
            </Button>
          )}
        </div>
        <p className={classes.quiet}>{t('pictureHelp')}</p>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/jpeg,image/png,.jpg,.jpeg,.png"
        data-testid="person-picture"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // The same file may be chosen again later.
          event.currentTarget.value = '';
          if (file) onChange(file);
        }}
      />
    </div>
  );
};
