/**
 * The page's sounds, synthesised with WebAudio: knocks for moves, bells for the rest. No files are loaded.
 *
 * Browsers allow sound only after the first user input; until then nothing is played and nothing fails.
 */
import type { Sound } from "../state/announcements";

interface Output {
  readonly audio: AudioContext;
  /** Where every sound goes; its gain is the volume. */
  readonly to: GainNode;
}

let output: Output | null = null;

/** The strength that leaves a sound as it is written below; ears judge a square as even steps. */
const PLAIN = 0.7;

function awake(strength: number): Output | null {
  if (typeof AudioContext === "undefined" || !navigator.userActivation?.hasBeenActive) return null;
  if (!output) {
    const audio = new AudioContext();
    output = { audio, to: audio.createGain() };
    output.to.connect(audio.destination);
  }
  const { audio, to } = output;
  if (audio.state === "suspended") void audio.resume().catch(() => undefined);
  to.gain.value = (strength / PLAIN) ** 2;
  return output;
}

/** A knock: a short burst of noise through a narrow band. */
function knock({ audio, to }: Output, at: number, pitch: number, loud: number): void {
  const length = Math.floor(audio.sampleRate * 0.06);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < length; index += 1) data[index] = (Math.random() * 2 - 1) * (1 - index / length) ** 6;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 1.2;
  const gain = audio.createGain();
  gain.gain.value = loud;
  source.connect(band).connect(gain).connect(to);
  source.start(at);
}

/** A tone that dies away. */
function bell({ audio, to }: Output, at: number, pitch: number, seconds: number, loud: number): void {
  const tone = audio.createOscillator();
  tone.type = "sine";
  tone.frequency.value = pitch;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  tone.connect(gain).connect(to);
  tone.start(at);
  tone.stop(at + seconds);
}

/** `strength`: 0 to 1. */
export function playSound(sound: Sound, strength: number): void {
  const out = awake(strength);
  if (!out) return;
  const now = out.audio.currentTime;
  switch (sound) {
    case "move":
      knock(out, now, 900, 1.1);
      break;
    case "capture":
      knock(out, now, 1300, 1.2);
      knock(out, now + 0.045, 700, 1);
      break;
    case "check":
      knock(out, now, 900, 1.1);
      bell(out, now + 0.02, 740, 0.25, 0.12);
      break;
    case "offer":
      bell(out, now, 587, 0.3, 0.12);
      bell(out, now + 0.12, 784, 0.35, 0.12);
      break;
    case "begin":
      bell(out, now, 523, 0.3, 0.12);
      bell(out, now + 0.11, 659, 0.3, 0.12);
      bell(out, now + 0.22, 784, 0.45, 0.12);
      break;
    case "end":
      bell(out, now, 784, 0.4, 0.12);
      bell(out, now + 0.16, 523, 0.7, 0.14);
      break;
    case "chat":
      bell(out, now, 1175, 0.12, 0.05);
      break;
    case "low":
      bell(out, now, 988, 0.12, 0.14);
      bell(out, now + 0.16, 988, 0.12, 0.14);
      break;
  }
}
