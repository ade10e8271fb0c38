import { useEffect, useEffectEvent, useRef } from 'react';
import { type ToothNotation, toothOf } from '../../../../contract/teeth.ts';
import { useToothNotation } from '../../language/tooth-notation.ts';
import { createTypedNumber } from '../viewset/use-mount-keys.ts';

const largest = { fdi: 85, universal: 32, palmer: 85 } as const satisfies Record<ToothNotation, number>;

/** Returns the tooth of a typed number, in FDI where the notation has no numbers; null when there is none. */
const typedTooth = (value: number, notation: ToothNotation): number | null => {
  try {
    return toothOf(String(value), notation === 'palmer' ? 'fdi' : notation);
  } catch {
    return null;
  }
};

/** Returns the handler of a typed digit; `onTooth` is called with the tooth (ISO 3950) when its number is complete. */
export const useTypedTooth = (onTooth: (tooth: number) => void): ((digit: string) => void) => {
  const [notation] = useToothNotation();
  const finish = useEffectEvent((value: number) => {
    const tooth = typedTooth(value, notation);
    if (tooth !== null) onTooth(tooth);
  });
  const maxNumber = useEffectEvent(() => largest[notation]);
  const typed = useRef<ReturnType<typeof createTypedNumber> | null>(null);
  useEffect(() => {
    const number = createTypedNumber({
      largest: () => maxNumber(),
      onNumber: (value) => finish(value),
      onTyping: () => undefined,
    });
    typed.current = number;
    return () => void number.clear();
  }, []);
  return (digit) => typed.current?.type(digit);
};
