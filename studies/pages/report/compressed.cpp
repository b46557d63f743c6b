#include "studies/pages/report/compressed.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "studies/pages/columns.hpp"

namespace counterpoise {

std::string deflated(std::string_view bytes) {
  constexpr int raw = -15, memory = 9;  // no header, the largest window
  constexpr std::size_t most = std::numeric_limits<uInt>::max() / 2;
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, raw, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::vector<unsigned char> out;
  int state = Z_OK;
  std::size_t done = 0;
  while (state != Z_STREAM_END) {
    const std::size_t taken = std::min(most, bytes.size() - done);
    // zlib reads through a pointer that is not const
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data() + done));
    stream.avail_in = static_cast<uInt>(taken);
    const bool last = done + taken == bytes.size();
    do {
      const std::size_t had = out.size(), more = std::max<std::size_t>(1 << 16, taken / 2);
      out.resize(had + more);
      stream.next_out = out.data() + had;
      stream.avail_out = static_cast<uInt>(more);
      state = deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
      out.resize(had + more - stream.avail_out);
    } while (stream.avail_out == 0 && state != Z_STREAM_END);
    done += taken;
  }
  deflateEnd(&stream);
  return base64(out);
}

}  // namespace counterpoise
