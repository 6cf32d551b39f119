/** Models of a list that cannot chat, by the names that makers give them. */
const OTHERS: readonly RegExp[] = [
  // Embeddings and reranking.
  /embed|rerank|minilm|paraphrase-|^voyage-|^jina-|(?:^|[-_])(?:bge|gte|e5|colbert)(?:[-_]|$)|llama-rank/,
  // Speech, sound and talking live.
  /whisper|(?:^|[-_])tts(?:[-_]|$)|transcri|kokoro|parakeet|orpheus|musicgen|lyria|realtime|native-audio|^csm-|chatterbox|^piper-|^gemini-live|(?:^|-)live-preview|^gpt-(?:[\w.]+-)?audio/,
  // Images and films.
  /(?:^|[-_])images?(?:[-_]|$)|dall-e|stable-?diffusion|sdxl|(?:^|[-_])(?:flux|imagen|veo|sora|seedream|recraft)(?:[-_.\d]|$)/,
  // Moderation.
  /moderation|shieldgemma|safeguard|(?:^|[-_])(?:llama-)?guard(?:[-_\d]|$)|ocr(?:[-_]|$)/,
  // OpenAI's that take no tools of ours, or no messages at all.
  /^(?:text-)?(?:davinci|babbage)|^gpt-3\.5-turbo-instruct|^gpt-.*search|^o\d.*deep-research|^computer-use/,
]

/** True if a model of this id can chat, as far as its name tells: an unknown one is offered. */
export function canChat(id: string): boolean {
  // “openai/gpt-5:free”, “hf.co/org/Model-GGUF:Q4_K_M”: maker and variant say nothing.
  const name = id.slice(0, 300).toLowerCase().replace(/:.*$/, '').split('/').at(-1) ?? ''
  return !OTHERS.some((pattern) => pattern.test(name))
}
