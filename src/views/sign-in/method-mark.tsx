import IconBrandWindows from '@tabler/icons-react/dist/esm/icons/IconBrandWindows.mjs';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconId from '@tabler/icons-react/dist/esm/icons/IconId.mjs';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs';
import IconQrcode from '@tabler/icons-react/dist/esm/icons/IconQrcode.mjs';
import type { SignInMethod } from '../../../contract/sign-in.ts';
import classes from './method-rows.module.css';

const marks = {
  bankid: IconQrcode,
  siths: IconId,
  aad: IconBrandWindows,
  sms: IconMessage,
  openid: IconBuilding,
  password: IconLock,
} as const satisfies Record<SignInMethod, unknown>;

/** The sign of a method on its tile. The brands' own marks are theirs; these say what one holds in the hand. */
export const MethodMark = ({ method }: { method: SignInMethod }) => {
  const Mark = marks[method];
  return (
    <span className={classes.mark}>
      <Mark aria-hidden="true" />
    </span>
  );
};
