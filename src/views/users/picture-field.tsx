import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { initials } from '../ui/person-name.ts';
import classes from './users.module.css';

interface AvatarProps {
  readonly name: string;
  /** URL of the picture; null: the initials are shown. */
  readonly picture: string | null;
  readonly large?: boolean;
}

/** A user's round picture. Hidden from screen readers, because the name is always beside it. */
export const Avatar = ({ name, picture, large = false }: AvatarProps) => (
  <span className={classes.face} data-large={large || undefined} aria-hidden="true">
    {picture ? <img src={picture} alt="" loading="lazy" decoding="async" /> : initials(name)}
  </span>
);

/** Change of the picture when the form is saved. */
export type PictureChange = File | 'none' | null;

interface PictureFieldProps {
  readonly name: string;
  /** URL of the stored picture. */
  readonly saved: string | null;
  readonly change: PictureChange;
  readonly onChange: (change: PictureChange) => void;
}

/** Returns an object URL for a local file and revokes it on unmount. */
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

/** Picture of a user as it will be after saving. */
export const PictureField = ({ name, saved, change, onChange }: PictureFieldProps) => {
  const { t } = useTranslation('users');
  const input = useRef<HTMLInputElement>(null);
  const preview = usePreview(change instanceof File ? change : null);
  const shown = change === null ? saved : preview;
  return (
    <div className={classes.picture}>
      <Avatar name={name} picture={shown} large />
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
        <p className={classes.dimmed}>{t('pictureHelp')}</p>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/jpeg,image/png,.jpg,.jpeg,.png"
        data-testid="person-picture"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // Clears the input so that the same file can be chosen again.
          event.currentTarget.value = '';
          if (file) onChange(file);
        }}
      />
    </div>
  );
};
