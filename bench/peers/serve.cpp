// A program with one library, which answers lines from the table's script. Every library has a
// process of its own: they need different compiler flags, and their copies of the same inline
// functions must not mix.
//
//   ways                                  its version, then a way of calling it per line
//   torques WAY TREE DESIGN               a number per line, sample by sample; or "cannot"
//   time WAY TREE SECONDS                 wall and CPU time of one inverse dynamics [ns]
//   design WAY TREE SECONDS               the same of setting another design [ns]
//   study WAY TREE CASES SAMPLES THREADS  wall and CPU time of a brute-force study [s]
//
//   forward-ways                          a way of finding accelerations per line
//   accelerations WAY TREE SAMPLES        a number per line, sample by sample; or "cannot"
//   forward-time WAY TREE SECONDS         wall and CPU time of the accelerations of one sample [ns]
//   fall WAY TREE SECONDS STEP            positions and velocities after a free fall; or "cannot"
//
// Every answer ends with an empty line.
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "bench/peers/contestant.hpp"
#include "bench/stopwatch.hpp"

namespace counterpoise::bench {
namespace {

/// Keeps the contestants that were asked for, so that building them is never timed.
class Server {
 public:
  void answer(const std::string& line) {
    std::istringstream words(line);
    std::string command, way, tree;
    words >> command >> way >> tree;
    if (command == "ways") {
      std::cout << library_version() << '\n';
      for (const std::string& name : ways()) std::cout << name << '\n';
    } else if (command == "torques") {
      torques(way, tree, words);
    } else if (command == "time") {
      time(way, tree, words);
    } else if (command == "design") {
      design(way, tree, words);
    } else if (command == "study") {
      study(way, tree, words);
    } else if (command == "forward-ways") {
      for (const std::string& name : forward_ways()) std::cout << name << '\n';
    } else if (command == "accelerations") {
      accelerations(way, tree, words);
    } else if (command == "forward-time") {
      forward_time(way, tree, words);
    } else if (command == "fall") {
      fall(way, tree, words);
    }
    std::cout << std::endl;
  }

 private:
  using Place = std::tuple<std::string, std::string, int>;

  /// Nothing where this way cannot do this tree.
  Contestant* find(const std::string& way, const std::string& name, int worker) {
    const auto [entry, fresh] = contestants_.try_emplace({way, name, worker});
    if (fresh) {
      const Tree tree = tree_named(name);
      entry->second = make_contestant(way, tree, random_states(tree));
    }
    return entry->second.get();
  }

  Contestant& contestant(const std::string& way, const std::string& name, int worker = 0) {
    Contestant* found = find(way, name, worker);
    if (found == nullptr) throw std::invalid_argument(way + " cannot do " + name);
    return *found;
  }

  void torques(const std::string& way, const std::string& name, std::istream& words) {
    int design = 0;
    words >> design;
    Contestant* subject = find(way, name, 0);
    if (subject == nullptr) {
      std::cout << "cannot\n";
      return;
    }
    // over another design, so that a value the library forgets to renew is found
    const Tree nominal = tree_named(name);
    subject->set_design(design_of(nominal, design + 1));
    subject->set_design(design_of(nominal, design));
    std::vector<double> values;
    subject->torques(values);
    print(values);
  }

  void time(const std::string& way, const std::string& name, std::istream& words) {
    Contestant& subject = contestant(way, name);
    repeat(words, sample_count, [&subject] { subject.run(sample_count); });
  }

  void design(const std::string& way, const std::string& name, std::istream& words) {
    Contestant& subject = contestant(way, name);
    const Tree nominal = tree_named(name);
    const std::array designs = {design_of(nominal, 1), design_of(nominal, 0)};
    repeat(words, designs.size(), [&] {
      for (const Tree& tree : designs) subject.set_design(tree);
    });
  }

  /// Runs for as long as the words say, after one run to warm up, and answers the time of each of
  /// the things a run does.
  template <class Run>
  void repeat(std::istream& words, double things, Run run) {
    double seconds = 0.0;
    words >> seconds;
    run();
    const Stopwatch watch;
    double count = 0.0, wall = 0.0;
    do {
      run();
      count += things;
      wall = watch.wall();
    } while (wall < seconds);
    std::cout << 1e9 * wall / count << ' ' << 1e9 * watch.cpu() / count << '\n';
  }

  void study(const std::string& way, const std::string& name, std::istream& words) {
    int cases = 0, samples = 0, threads = 0;
    words >> cases >> samples >> threads;
    const Tree nominal = tree_named(name);
    std::vector<Tree> designs;
    for (int i = 0; i < cases; ++i) designs.push_back(design_of(nominal, i));
    for (int worker = 0; worker < threads; ++worker) contestant(way, name, worker).run(samples);

    const Stopwatch watch;
    std::vector<std::thread> workers;
    for (int worker = 0; worker < threads; ++worker)
      workers.emplace_back([&, worker, &subject = contestant(way, name, worker)] {
        for (int i = worker; i < cases; i += threads) {
          subject.set_design(designs[i]);
          subject.run(samples);
        }
      });
    for (std::thread& worker : workers) worker.join();
    std::cout << watch.wall() << ' ' << watch.cpu() << '\n';
  }

  /// A contestant for one question about accelerations.
  static std::unique_ptr<ForwardContestant> forward(const std::string& way, const std::string& name,
                                                    int samples) {
    const Tree tree = tree_named(name);
    return make_forward(way, tree, random_states(tree, samples));
  }

  static void print(const std::vector<double>& values) {
    if (values.empty()) std::printf("cannot\n");
    for (const double x : values) std::printf("%.17g\n", x);
    std::fflush(stdout);
  }

  static void accelerations(const std::string& way, const std::string& name, std::istream& words) {
    int samples = 0;
    words >> samples;
    std::vector<double> values;
    if (const auto subject = forward(way, name, samples)) subject->accelerations(values);
    print(values);
  }

  void forward_time(const std::string& way, const std::string& name, std::istream& words) {
    const auto [entry, fresh] = forward_.try_emplace({way, name});
    if (fresh) entry->second = forward(way, name, sample_count);
    if (!entry->second) throw std::invalid_argument(way + " cannot do " + name);
    repeat(words, sample_count, [&subject = *entry->second] { subject.run(sample_count); });
  }

  static void fall(const std::string& way, const std::string& name, std::istream& words) {
    double seconds = 0.0, step = 0.0;
    words >> seconds >> step;
    std::vector<double> values;
    if (const auto subject = forward(way, name, 1)) subject->fall(seconds, step, values);
    print(values);
  }

  std::map<Place, std::unique_ptr<Contestant>> contestants_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<ForwardContestant>> forward_;
};

}  // namespace
}  // namespace counterpoise::bench

int main() try {
  counterpoise::bench::Server server;
  for (std::string line; std::getline(std::cin, line);) server.answer(line);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
