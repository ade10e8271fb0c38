/** Answers of today, without the clinic. */
export const monitorCheckBody = () => ({
  workstation: 'Behandlingsrum 2',
  day: new Date().toISOString().slice(0, 10),
  answers: { lines: true, squares: true, patches: true, ramp: true, letters: true },
  comment: '',
  widthPx: 1_720,
  heightPx: 968,
  pixelRatio: 1.25,
});
