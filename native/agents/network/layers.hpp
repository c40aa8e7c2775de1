// The layers of src/claimeven/neural/model.py, which says what they are, without PyTorch.
//
// Positions are evaluated in batches: x[channel][position][token], so that one vector operation serves
// several tokens and every weight that was loaded several positions. Everything is computed in single
// precision; weights of a file are half precision, or signed bytes with a step for every row.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "board/board.hpp"

namespace claimeven {

class Layers {
 public:
  using Shape = FixedShape<7, 6, 4>;
  using Position = Stones<Shape>;

  static constexpr int kHalf = 24, kTokens = 2 * kHalf, kPlanes = 6, kBins = 43, kOutputs = 1 + kBins;
  static constexpr int kColumns = Shape::columns, kRows = Shape::rows;

  struct Size {
    int channels, groups, blocks;
    bool is_rounded;  // weights are signed bytes
  };

  Layers(const Size& size, std::span<const std::uint8_t> bytes) : size_(checked(size)) {
    Reader reader{bytes, size.is_rounded};
    const std::size_t channels = size.channels, groups = size.groups;
    stem_ = reader.matrix(channels, kPlanes);
    place_ = reader.plain(channels * kHalf);
    for (int i = 0; i <= size.blocks; ++i) {
      Block block;
      for (auto* part : {&block.even, &block.odd}) {
        *part = transposed(reader.matrix(groups * kHalf, kHalf), kHalf);
        for (float& weight : *part)
          weight /= 2;  // (even + odd) / 2 is the first half, their difference the other
      }
      block.bias = reader.plain(channels * kHalf);
      if (i < size.blocks) block.mix = reader.matrix(channels, channels);
      blocks_.push_back(std::move(block));
    }
    const std::vector<float> head = reader.matrix(kOutputs, channels * kRows);
    head_.resize(channels * kRows * kPadded);
    for (std::size_t i = 0; i < kOutputs; ++i) {
      for (std::size_t j = 0; j < channels * kRows; ++j)
        head_[j * kPadded + i] = head[i * channels * kRows + j];
    }
    head_bias_ = reader.plain(kOutputs * 4);
    if (!reader.left.empty()) throw std::invalid_argument("network: there are more weights than it needs");
  }

  static constexpr int kBatch = 16;  // positions at once
  static constexpr std::size_t kEach = kColumns * kOutputs;

  struct Work {
    explicit Work(int channels)
        : x(static_cast<std::size_t>(channels) * kBatch * kTokens), hidden(x.size()) {}
    std::vector<float> x, hidden;
  };
  Work work() const { return Work(size_.channels); }

  // [position][column][output] of at most kBatch positions, as PyTorch has them.
  void evaluate(std::span<const Position> positions, Work& work, float* found) const {
    const int count = (static_cast<int>(positions.size()) + kTile - 1) / kTile * kTile;
    begin(positions, count, work.x.data());
    for (int i = 0; i < size_.blocks; ++i) {
      mix_tokens(blocks_[i], count, work.x.data(), work.hidden.data());
      mix_channels(blocks_[i], count, work.hidden.data(), work.x.data());
    }
    mix_tokens(blocks_.back(), count, work.x.data(), work.hidden.data());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      finish(&work.hidden[i * kTokens], count * kTokens, found + i * kColumns * kOutputs);
    }
  }

 private:
#if defined(__AVX__)
  static constexpr int kLanes = 8;
#else
  static constexpr int kLanes = 4;
#endif
  typedef float Vector __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
  // Half a board is 24 tokens, no whole number of the widest vectors; a batch of boards is.
#if defined(__AVX512F__)
  static constexpr int kWideLanes = 16;
  static constexpr bool kHasManyRegisters = true;
#else
  static constexpr int kWideLanes = kLanes;
  static constexpr bool kHasManyRegisters = false;
#endif
  typedef float WideVector __attribute__((vector_size(kWideLanes * sizeof(float)), aligned(4), may_alias));
  static constexpr int kTile = 4;  // positions, or channels, whose sums are kept in registers at once
  static_assert(kBatch % kTile == 0);
  static constexpr int kPadded = 48;  // outputs of a column, in whole vectors
  static constexpr int kHalfVectors = kHalf / kLanes;

  struct Block {
    std::vector<float> even, odd;  // [group][from][to]
    std::vector<float> bias;       // [channel][token of a half]
    std::vector<float> mix;        // [to][from]
  };

  struct Reader {
    std::span<const std::uint8_t> left;
    bool is_rounded;

    const std::uint8_t* take(std::size_t count) {
      if (count > left.size()) throw std::invalid_argument("network: weights are missing");
      const std::uint8_t* start = left.data();
      left = left.subspan(count);
      return start;
    }
    std::vector<float> plain(std::size_t count) {
      const std::uint8_t* bytes = take(2 * count);
      std::vector<float> numbers(count);
      for (std::size_t i = 0; i < count; ++i) {
        numbers[i] = from_half(static_cast<std::uint16_t>(bytes[2 * i] | bytes[2 * i + 1] << 8));
      }
      return numbers;
    }
    std::vector<float> matrix(std::size_t rows, std::size_t columns) {
      if (!is_rounded) return plain(rows * columns);
      const std::vector<float> steps = plain(rows);
      const std::uint8_t* bytes = take(rows * columns);
      std::vector<float> numbers(rows * columns);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = steps[i / columns] * static_cast<float>(static_cast<std::int8_t>(bytes[i]));
      }
      return numbers;
    }
  };

  static const Size& checked(const Size& size) {
    if (size.channels < kTile || size.channels > 1024 || size.channels % kTile || size.groups < 1 ||
        size.channels % size.groups || size.blocks < 0 || size.blocks > 1000) {
      throw std::invalid_argument("network: such a size is not possible");
    }
    return size;
  }

  static float from_half(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half >> 15) << 31;
    const int exponent = half >> 10 & 31;
    const float fraction = static_cast<float>(half & 1023);
    if (exponent == 31) throw std::invalid_argument("network: a weight is no number");
    const float size = exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
    return sign ? -size : size;
  }

  // Every square of a stack of squares.
  static std::vector<float> transposed(const std::vector<float>& stack, std::size_t width) {
    std::vector<float> turned(stack.size());
    for (std::size_t i = 0; i < stack.size(); ++i) {
      const std::size_t square = i / (width * width), row = i / width % width, column = i % width;
      turned[(square * width + column) * width + row] = stack[i];
    }
    return turned;
  }

  // Columns 0, 1, 2, 3 and then 6, 5, 4, 3: a mirror image exchanges the halves.
  static constexpr int column_of_eighth(int eighth) { return eighth < 4 ? eighth : 10 - eighth; }

  void begin(std::span<const Position> positions, int count, float* x) const {
    constexpr Shape shape{};
    for (int i = 0; i < count; ++i) {
      const Position stones = i < static_cast<int>(positions.size()) ? positions[i] : Position{};
      const Word64 planes[kPlanes] = {stones.mine,
                                      stones.theirs(),
                                      landing_cells(shape, stones.mask),
                                      winning_cells(shape, stones.mine, stones.mask),
                                      winning_cells(shape, stones.theirs(), stones.mask),
                                      stones.ply() % 2 ? shape.full : 0};
      for (int token = 0; token < kTokens; ++token) {
        const int bit = column_of_eighth(token / kRows) * (kRows + 1) + token % kRows;
        for (int channel = 0; channel < size_.channels; ++channel) {
          float sum = place_[channel * kHalf + token % kHalf];
          for (int plane = 0; plane < kPlanes; ++plane) {
            if (planes[plane] >> bit & 1) sum += stem_[channel * kPlanes + plane];
          }
          x[(channel * count + i) * kTokens + token] = sum;
        }
      }
    }
  }

  void mix_tokens(const Block& block, int count, const float* x, float* hidden) const {
    const int sharing = size_.channels / size_.groups;
    for (int channel = 0; channel < size_.channels; ++channel) {
      const float* even = &block.even[channel / sharing * kHalf * kHalf];
      const float* odd = &block.odd[channel / sharing * kHalf * kHalf];
      const float* bias = &block.bias[channel * kHalf];
      for (int first = 0; first < count; first += kTile) {
        const float* from = x + (channel * count + first) * kTokens;
        float* to = hidden + (channel * count + first) * kTokens;
        float sums[kTile][kHalf], differences[kTile][kHalf];
        for (int i = 0; i < kTile; ++i) {
          for (int j = 0; j < kHalf; ++j) {
            sums[i][j] = from[i * kTokens + j] + from[i * kTokens + kHalf + j];
            differences[i][j] = from[i * kTokens + j] - from[i * kTokens + kHalf + j];
          }
        }
        Vector evens[kTile][kHalfVectors] = {}, odds[kTile][kHalfVectors] = {};
        multiply(sums, even, evens);
        multiply(differences, odd, odds);
        for (int j = 0; j < kHalfVectors; ++j) {
          const Vector shift = *reinterpret_cast<const Vector*>(bias + j * kLanes);
          for (int i = 0; i < kTile; ++i) {
            store(to + i * kTokens + j * kLanes, positive(evens[i][j] + odds[i][j] + shift));
            store(to + i * kTokens + kHalf + j * kLanes, positive(evens[i][j] - odds[i][j] + shift));
          }
        }
      }
    }
  }

  // Sixteen registers hold the sums, the vectors that are multiplied and one number at a time; where there
  // are more, the numbers stay and the vectors pass. The sums are the same, to the last bit.
  static void multiply(const float (&rows)[kTile][kHalf], const float* weights,
                       Vector (&products)[kTile][kHalfVectors]) {
    for (int k = 0; k < kHalf; ++k) {
      const Vector* some = reinterpret_cast<const Vector*>(weights + k * kHalf);
      if constexpr (kHasManyRegisters) {
        for (int j = 0; j < kHalfVectors; ++j) {
          const Vector one = some[j];
          for (int i = 0; i < kTile; ++i) products[i][j] += rows[i][k] * one;
        }
      } else {
        Vector kept[kHalfVectors];
        for (int j = 0; j < kHalfVectors; ++j) kept[j] = some[j];
        for (int i = 0; i < kTile; ++i) {
          for (int j = 0; j < kHalfVectors; ++j) products[i][j] += rows[i][k] * kept[j];
        }
      }
    }
  }

  void mix_channels(const Block& block, int count, const float* hidden, float* x) const {
    constexpr int kWide = 3;  // vectors
    const int channels = size_.channels, width = count * kTokens;
    for (int at = 0; at < width; at += kWide * kWideLanes) {
      // Not `auto`: it would forget how the vectors are aligned.
      const WideVector* seen = reinterpret_cast<const WideVector*>(hidden + at);
      WideVector* found = reinterpret_cast<WideVector*>(x + at);
      const int row = width / kWideLanes;  // vectors
      for (int first = 0; first < channels; first += kTile) {
        WideVector sums[kTile][kWide];
        for (int i = 0; i < kTile; ++i) {
          for (int j = 0; j < kWide; ++j) sums[i][j] = found[(first + i) * row + j];
        }
        const float* weights = &block.mix[first * channels];
        for (int k = 0; k < channels; ++k) {
          if constexpr (kHasManyRegisters) {  // as in `multiply`
            for (int j = 0; j < kWide; ++j) {
              const WideVector one = seen[k * row + j];
              for (int i = 0; i < kTile; ++i) sums[i][j] += weights[i * channels + k] * one;
            }
          } else {
            WideVector kept[kWide];
            for (int j = 0; j < kWide; ++j) kept[j] = seen[k * row + j];
            for (int i = 0; i < kTile; ++i) {
              for (int j = 0; j < kWide; ++j) sums[i][j] += weights[i * channels + k] * kept[j];
            }
          }
        }
        for (int i = 0; i < kTile; ++i) {
          for (int j = 0; j < kWide; ++j) found[(first + i) * row + j] = sums[i][j];
        }
      }
    }
  }

  void finish(const float* hidden, int stride, float* found) const {
    float seen[2 * 4][kPadded] = {};
    for (int eighth = 0; eighth < 8; ++eighth) {
      Vector sums[kPadded / kLanes] = {};
      for (int channel = 0; channel < size_.channels; ++channel) {
        for (int row = 0; row < kRows; ++row) {
          const float value = hidden[channel * stride + eighth * kRows + row];
          if (value == 0) continue;
          const float* weights = &head_[(channel * kRows + row) * kPadded];
          for (int j = 0; j < kPadded / kLanes; ++j) {
            sums[j] += value * *reinterpret_cast<const Vector*>(weights + j * kLanes);
          }
        }
      }
      for (int j = 0; j < kPadded / kLanes; ++j) store(seen[eighth] + j * kLanes, sums[j]);
      for (int i = 0; i < kOutputs; ++i) seen[eighth][i] += head_bias_[i * 4 + eighth % 4];
    }
    for (int i = 0; i < kOutputs; ++i) {
      for (int column = 0; column < kColumns; ++column) {
        found[column * kOutputs + i] = column == 3  ? (seen[3][i] + seen[7][i]) / 2
                                       : column < 3 ? seen[column][i]
                                                    : seen[10 - column][i];
      }
    }
  }

  static Vector positive(Vector vector) { return vector > 0 ? vector : Vector{}; }
  static void store(float* to, Vector vector) { *reinterpret_cast<Vector*>(to) = vector; }

  const Size size_;
  std::vector<float> stem_, place_;  // [channel][plane], [channel][token of a half]
  std::vector<Block> blocks_;        // and one more, before the head
  std::vector<float> head_;          // [channel][row][output]
  std::vector<float> head_bias_;     // [output][column, from the edge]
};

}  // namespace claimeven
